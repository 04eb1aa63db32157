/** The problems of an input at the fields of its form. */
import type { Issue } from "./refused.ts";

/** Gives the names of the fields that can show a problem, and the values of boxes: each may be a field of the input. */
export function fieldNames(form: HTMLFormElement): Set<string> {
  const marks = form.querySelectorAll("input:not([type=hidden]):not([type=radio]), select, textarea");
  return new Set(
    Array.from(marks).flatMap((field) => {
      const name = field.getAttribute("name") ?? "";
      return field.getAttribute("type") === "checkbox" ? [name, field.getAttribute("value") ?? ""] : [name];
    }),
  );
}

/**
 * Reduces the path of each problem to the field that shows it, and leaves out problems that no field shows. A field may be
 * named by a whole path, such as `stages.0.label`. Otherwise the first part of the path that names a field counts:
 * `headers`, `0`, `name` belongs to the field of the headers.
 */
export function issuesOfFields(issues: readonly Issue[], names: ReadonlySet<string>): Issue[] {
  return issues.flatMap(({ path, message }) => {
    const whole = path.join(".");
    const field = names.has(whole) ? whole : path.find((part) => names.has(part));
    return field === undefined ? [] : [{ path: [field], message }];
  });
}
