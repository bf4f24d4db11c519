// Starts GraphiQL on the API of the server that served this page.
"use strict";

// No line is wider than the editor of a window of 1400 pixels: what scrolls out of sight is not read.
const FIRST_QUERY = `# Where does the cost of this deployment land?
# Press the arrow, or Ctrl-Enter. Ctrl-Space completes;
# the book on the left is the schema.
{
  check(input: {
    command: "vllm serve Qwen/Qwen3-235B-A22B -tp 8"
  }) {
    ... on CheckAnswer {
      verdict
      findings {
        rule { id name { en zh } }
        says { en zh }
        derivation { name value from }
        shifts { from onto quantity { id } factor }
        fixes {
          says { en zh }
          set { name value }
          range
          knockOn { en zh }
        }
        sources { title url checked }
      }
    }
    ... on InputProblem { message }
    ... on NotFound { message suggestions }
  }
}
`;

// Relative to the page: /ide asks /graphql, /prefix/ide asks /prefix/graphql.
const fetcher = GraphiQL.createFetcher({ url: new URL("graphql", document.baseURI).href });
const page = document.getElementById("ide");

const show = () =>
  ReactDOM.createRoot(page).render(
    React.createElement(GraphiQL, { fetcher, defaultQuery: FIRST_QUERY, shouldPersistHeaders: false }),
  );

// The editor measures its lines once: in another font they would seem wider, and a scroll bar would lie over the last.
Promise.allSettled(["Roboto", "Fira Code"].map((font) => document.fonts.load(`1em "${font}"`))).then(show);
