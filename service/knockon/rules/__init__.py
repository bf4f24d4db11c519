"""Rules as values: couple rules over facts, diagnose rules over readings, profiles of thresholds. Pure."""
