/** Gives the text of a field of a form, without spaces around it. A field that the form does not have is empty. */
export function textOfField(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value.trim() : "";
}
