// Runs in the browser, ahead of the script of GraphiQL, and shows GraphiQL when that is loaded.
const { editorWorkerService, json, graphql } = document.currentScript.dataset;
const workers = { editorWorkerService, json, graphql };
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };

const EXAMPLE_QUERY = `# Put your token into the headers below, then run this.
query Welcome {
  viewer {
    role
    actor {
      name
    }
  }
  runs(first: 5) {
    edges {
      node {
        id
        status
        requiredAction
      }
    }
  }
}
`;
/** GraphiQL fetches the schema when it is shown. That fails until there is a token, and is not tried again. */
const PAUSE_MS = 500;
let hasSchema = false;
let timer;

function fetchSchema() {
  // The shortcut of GraphiQL: the page has no other way to ask for it.
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "R", ctrlKey: true }));
}

document.addEventListener("DOMContentLoaded", () => {
  globalThis.YogaGraphiQL.renderYogaGraphiQL(document.querySelector("#root"), {
    title: "Holdpoint",
    defaultQuery: EXAMPLE_QUERY,
    headers: JSON.stringify({ Authorization: "Bearer <token>" }, null, 2),
    isHeadersEditorEnabled: true,
    defaultEditorToolsVisibility: "headers",
    shouldPersistHeaders: false,
    // The headers of the page are sent with HTTP only: a WebSocket would come without the token.
    subscriptionsProtocol: "SSE",
    onSchemaChange() {
      hasSchema = true;
    },
    onEditHeaders() {
      clearTimeout(timer);
      if (!hasSchema) timer = setTimeout(fetchSchema, PAUSE_MS);
    },
  });
});
