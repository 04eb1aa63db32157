/** Gives the text of a field of a form, without spaces around it. A field that the form does not have is empty. */
export function textOfField(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** Gives the text of a field of a form as it was typed, with the spaces around it. */
export function wholeTextOfField(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

/** Gives the number of a field of a form; `null` for an empty one. */
export function numberOfField(form: HTMLFormElement, name: string): number | null {
  const text = textOfField(form, name);
  return text === "" ? null : Number(text);
}

/** Gives the entries of a field that separates them by commas. */
export function entriesOfField(form: HTMLFormElement, name: string): string[] {
  return textOfField(form, name)
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** Gives the lines of a field that has one entry a line. */
export function linesOfField(form: HTMLFormElement, name: string): string[] {
  return textOfField(form, name)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Gives the file that a person has chosen; `null` if none is. */
export function fileOfField(form: HTMLFormElement, name: string): File | null {
  const value = new FormData(form).get(name);
  return value instanceof File && value.size > 0 ? value : null;
}

/** Gives the values of the boxes of one name that are checked. */
export function checkedOf(form: HTMLFormElement, name: string): string[] {
  return new FormData(form).getAll(name).filter((value) => typeof value === "string");
}

/** Gives the instant at which a day of the person ends; `null` for no day. */
export function endOfDay(day: string): string | null {
  return day === "" ? null : new Date(`${day}T23:59:59`).toISOString();
}

/** Gives an instant as a field of a local time takes it, in the time zone of the person and without seconds. */
export function localTimeOf(instant: string): string {
  const at = new Date(instant);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Gives the instant of a local time of the person; `null` for none. */
export const instantOf = (localTime: string): string | null =>
  localTime === "" ? null : new Date(localTime).toISOString();

/** Gives the choice of a field, from choices with their words; `null` for one that the console does not know. */
export function choiceOfField<Name extends string>(
  form: HTMLFormElement,
  name: string,
  choices: Readonly<Record<Name, string>>,
): Name | null {
  const chosen = textOfField(form, name);
  return isNameOf(choices, chosen) ? chosen : null;
}

const isNameOf = <Name extends string>(choices: Readonly<Record<Name, string>>, value: string): value is Name =>
  Object.hasOwn(choices, value);

/**
 * Gives the values whose fields the person has changed since the form was opened. The others are not sent: another person
 * may have changed them meanwhile.
 */
export function changedOf<Values extends object>(form: HTMLFormElement, values: Values): Partial<Values> {
  const changed: Partial<Values> = { ...values };
  for (const name in values) if (!isChanged(form, name)) delete changed[name];
  return changed;
}

function isChanged(form: HTMLFormElement, name: string): boolean {
  return Array.from(form.elements).some((field) => isOf(field, name) && differs(field));
}

/** Whether a person has changed anything in a form since it was opened. */
export const isFormChanged = (form: HTMLFormElement): boolean => Array.from(form.elements).some(differs);

/** Whether a field has a name, or a path below it, or is the box of a value that is a field of the input. */
const isOf = (field: Element, name: string): boolean =>
  field.getAttribute("name") === name ||
  field.getAttribute("name")?.startsWith(`${name}.`) === true ||
  (field.getAttribute("type") === "checkbox" && field.getAttribute("value") === name);

/** Whether a field differs from its default, which is the value with which the form was opened. */
function differs(field: Element): boolean {
  if (field instanceof HTMLSelectElement) {
    return Array.from(field.options).some(({ selected, defaultSelected }) => selected !== defaultSelected);
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement)) return false;
  const isBox = field.type === "checkbox" || field.type === "radio";
  return isBox ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}
