"""The back-end for millions of snapshots: conditions as expressions over the columns of a Polars frame."""
