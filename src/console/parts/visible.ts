/** Control characters but line ends and tabs, marks that turn the direction of a text around, and signs without a form. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Makes signs visible that have no form of their own: a text from outside cannot look like another one. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
