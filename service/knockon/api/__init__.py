"""The GraphQL API: its types, its roots, its limits. The only room that knows GraphQL; HTTP is web/."""
