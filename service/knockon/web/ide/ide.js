// Starts GraphiQL on the API of the server that served this page.
"use strict";

const FIRST_QUERY = `# Where does tensor parallelism sit? Press the arrow, or Ctrl-Enter.
# Ctrl-Space completes; the book on the left is the schema.
{
  technique(id: "tensor-parallelism") {
    id
  }
}
`;

// Relative to the page: /ide asks /graphql, /prefix/ide asks /prefix/graphql.
const fetcher = GraphiQL.createFetcher({ url: new URL("graphql", document.baseURI).href });
const page = document.getElementById("ide");

ReactDOM.createRoot(page).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: FIRST_QUERY, shouldPersistHeaders: false }),
);
