import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { electNotifier } from "./inbox/notify.ts";
import { watchAbsences } from "./live/absence.ts";
import { watchWakes } from "./live/link.ts";
import { watchRelease } from "./live/release.ts";
import { store } from "./live/store.ts";
import { router } from "./routes.tsx";
import "./style/base.css";

watchWakes();
electNotifier();
watchRelease();
watchAbsences();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <Provider value={store}>
      <RouterProvider router={router} />
    </Provider>
  </StrictMode>,
);
