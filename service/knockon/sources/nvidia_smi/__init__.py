"""What `nvidia-smi --query-gpu=… --format=csv` prints, with or without units."""
