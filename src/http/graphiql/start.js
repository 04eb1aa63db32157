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

/**
 * Who is signed in: the cookie of the browser is sent with every request, and no header is needed. Null if no one is;
 * undefined if people cannot sign in here.
 */
async function signedInActor() {
  const answer = await fetch("/auth/session").catch(() => null);
  return answer?.ok ? (await answer.json()).actor : undefined;
}

document.addEventListener("DOMContentLoaded", () => void signedInActor().then(show));

/** Shows who is signed in, below GraphiQL. */
function showPerson(actor) {
  const corner = document.createElement("div");
  corner.style.cssText =
    "position:fixed;right:28px;bottom:0;z-index:1;display:flex;gap:10px;max-width:80vw;" +
    "font:12px/16px system-ui,sans-serif;color-scheme:light dark;color:GrayText";
  const name = document.createElement("span");
  name.textContent = actor === null ? "Not signed in" : actor.name;
  name.style.cssText = "overflow:hidden;text-overflow:ellipsis;white-space:nowrap";
  const link = document.createElement("a");
  link.textContent = actor === null ? "Sign in" : "Sign out";
  link.href = "/auth/login";
  link.style.cssText = "color:LinkText;white-space:nowrap";
  if (actor !== null) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      void fetch("/auth/logout", { method: "POST" }).then(() => location.assign("/auth/login"));
    });
  }
  corner.append(name, link);
  document.body.append(corner);
}

function show(actor) {
  const signedIn = actor !== null && actor !== undefined;
  if (actor !== undefined) showPerson(actor);
  globalThis.YogaGraphiQL.renderYogaGraphiQL(document.querySelector("#root"), {
    title: "Holdpoint",
    defaultQuery: signedIn
      ? EXAMPLE_QUERY
      : `# Put your token into the headers below, or sign in at /auth/login.\n${EXAMPLE_QUERY}`,
    headers: signedIn ? "{}" : JSON.stringify({ Authorization: "Bearer <token>" }, null, 2),
    isHeadersEditorEnabled: true,
    defaultEditorToolsVisibility: signedIn ? false : "headers",
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
