"""The service: GraphQL over HTTP, the query IDE, health, readiness and figures. The only room that knows HTTP."""
