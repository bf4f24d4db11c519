"""What the API shows: one GraphQL type for each value of the domain, with the words for its fields."""
