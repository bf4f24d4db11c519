"""The database: every published revision of catalog and rules, on SQLite or PostgreSQL. The only user of SQLAlchemy."""
