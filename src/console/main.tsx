import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { watchWakes } from "./live/link.ts";
import { store } from "./live/store.ts";
import { router } from "./routes.tsx";
import "./style/base.css";

watchWakes();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <Provider value={store}>
      <RouterProvider router={router} />
    </Provider>
  </StrictMode>,
);
