"""What SGLang makes of flags, model and GPU, by the part of its configuration it belongs to."""
