/** A page with every part in every state, for tests alone: no release has it. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { OrganizationRunsDocument } from "../generated/graphql.ts";
import { useStream } from "../live/documents.ts";
import { Freshness } from "../live/freshness.tsx";
import { store } from "../live/store.ts";
import { DialogHost } from "../parts/dialog-host.tsx";
import { CommandSpecimens } from "./command-specimens.tsx";
import { FieldSpecimens } from "./field-specimens.tsx";
import { TextSpecimens } from "./text-specimens.tsx";
import "../style/base.css";

function Specimens() {
  // The first stream makes the connection by which the page is live.
  useStream(OrganizationRunsDocument, { organizationId: "org_1" });
  return (
    <>
      <header>
        <Freshness />
      </header>
      <DialogHost>
        <main>
          <h1>Specimens</h1>
          <TextSpecimens />
          <FieldSpecimens />
          <CommandSpecimens />
        </main>
      </DialogHost>
    </>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <Provider value={store}>
      <Specimens />
    </Provider>
  </StrictMode>,
);
