"""What must hold between the things of the trees, beyond the shape of each; one module per matter."""
