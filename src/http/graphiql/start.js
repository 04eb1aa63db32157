// Runs in the browser, ahead of the script of GraphiQL, and shows GraphiQL when that is loaded.
const { editorWorkerService, json, graphql } = document.currentScript.dataset;
const workers = { editorWorkerService, json, graphql };
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };

const EXAMPLE_QUERY = `query Welcome {
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

/** Whether the browser is signed in: its cookie is sent with every request, and no header is needed. */
async function isSignedIn() {
  const answer = await fetch("/auth/session").catch(() => null);
  if (answer === null || !answer.ok) return false;
  return (await answer.json()).actor !== null;
}

document.addEventListener("DOMContentLoaded", () => void isSignedIn().then(show));

function show(signedIn) {
  globalThis.YogaGraphiQL.renderYogaGraphiQL(document.querySelector("#root"), {
    title: "Holdpoint",
    defaultQuery: signedIn
      ? EXAMPLE_QUERY
      : `# Put your token into the headers below, or sign in at /auth/login.\n${EXAMPLE_QUERY}`,
    headers: signedIn ? "{}" : JSON.stringify({ Authorization: "Bearer <token>" }, null, 2),
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
}
