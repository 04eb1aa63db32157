/** Values that this browser keeps between visits. It keeps none where a person has forbidden that, or its storage is full. */

/** Reads a value; `null` if there is none. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a value, for all tabs. `null` removes it. Gives whether the browser has done so. */
export function keep(name: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}
