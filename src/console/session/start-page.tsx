import { Navigate } from "@tanstack/react-router";
import { useSession } from "./viewer.tsx";

/** The first page: the overview of the one organization, or the organizations. */
export function StartPage() {
  const { organizations } = useSession();
  const [only] = organizations;
  if (only === undefined) return <p>You may see no organization yet. Ask an administrator for a grant.</p>;
  return <Navigate to="/o/$organization" params={{ organization: only.slug }} replace />;
}
