import { Link, useLocation, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import styles from "./organization-nav.module.css";

const PAGES = [
  ["/o/$organization/workspaces", "Workspaces"],
  ["/o/$organization/changesets", "Changesets"],
  ["/o/$organization/pipelines", "Pipelines"],
  ["/o/$organization/schedules", "Schedules"],
  ["/o/$organization/repositories", "Repositories"],
  ["/o/$organization/inbound-hooks", "Inbound hooks"],
  ["/o/$organization/runners", "Runners"],
  ["/o/$organization/webhooks", "Webhooks"],
  ["/o/$organization/people", "People"],
  ["/o/$organization/policies", "Policies"],
  ["/o/$organization/checks", "Checks"],
  ["/o/$organization/rules", "Rules"],
] as const;

/** The pages of the organization of the address; nothing where the address names none. */
export function OrganizationNav() {
  const { organization } = useParams({ strict: false });
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const list = nav.current;
    if (list === null) return;
    // On a phone the pages are one line: the current one is moved into sight.
    const observer = new ResizeObserver(() => {
      const current = list.querySelector<HTMLElement>("[aria-current=page]");
      if (current !== null) list.scrollTo({ left: current.offsetLeft - current.offsetWidth });
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, [pathname]);
  if (organization === undefined) return null;
  return (
    <nav ref={nav} aria-label="Organization" className={styles["nav"]}>
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
