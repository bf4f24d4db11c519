"""Model configurations: a Hugging Face config.json becomes facts with the names of the vocabulary."""
