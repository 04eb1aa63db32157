import { Link, useParams } from "@tanstack/react-router";
import styles from "./organization-nav.module.css";

const PAGES = [
  ["/o/$organization/workspaces", "Workspaces"],
  ["/o/$organization/changesets", "Changesets"],
  ["/o/$organization/runners", "Runners"],
  ["/o/$organization/webhooks", "Webhooks"],
  ["/o/$organization/people", "People"],
  ["/o/$organization/policies", "Policies"],
] as const;

/** The pages of the organization of the address; nothing where the address names none. */
export function OrganizationNav() {
  const { organization } = useParams({ strict: false });
  if (organization === undefined) return null;
  return (
    <nav aria-label="Organization" className={styles["nav"]}>
      <Link to="/o/$organization" params={{ organization }} activeOptions={{ exact: true }}>
        Overview
      </Link>
      <Link
        to="/o/$organization/runs"
        params={{ organization }}
        search={{ show: "all" }}
        activeOptions={{ includeSearch: false }}
      >
        Runs
      </Link>
      {PAGES.map(([to, name]) => (
        <Link key={to} to={to} params={{ organization }}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
