"""Plain text for a terminal: aligned, wrapped to its width, coloured where it shows colours."""
