import { useAskedCount } from "./asked-count.ts";

/** The title of a page behind the sign-in, with the number of runs that wait for the viewer: tabs show it while they are not seen. */
export function PageTitle({ children }: { children: string }) {
  const count = useAskedCount();
  return <title>{`${count > 0 ? `(${count}) ` : ""}${children} - Holdpoint`}</title>;
}
