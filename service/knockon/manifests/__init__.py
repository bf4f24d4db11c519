"""The files that engine commands are kept in, and the choice between them."""
