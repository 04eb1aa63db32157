/** Functions that encode and decode texts. */
import { type Arguments, type Builtins, objectAt, stringAt, undefinedResult } from "./operands.ts";
import { entriesOf, isArray, isSet, type RegoValue } from "./rego-value.ts";
import { fromModuleText } from "./rego-text.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64URL = /^[A-Za-z0-9_-]*$/;

function decodeBase64(args: Arguments): string {
  const text = stringAt(args, 0).replaceAll(/[\r\n]/g, "");
  if (!BASE64.test(text)) throw undefinedResult("not base64");
  return Buffer.from(text, "base64").toString("utf8");
}

function decodeBase64Url(args: Arguments): string {
  const text = stringAt(args, 0).replace(/={1,2}$/, "");
  if (!BASE64URL.test(text) || text.length % 4 === 1) throw undefinedResult("not base64url");
  return Buffer.from(text, "base64url").toString("utf8");
}

function encodeBase64Url(args: Arguments): string {
  const text = Buffer.from(stringAt(args, 0)).toString("base64url");
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

function decodeHex(args: Arguments): string {
  const text = stringAt(args, 0);
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw undefinedResult("not hexadecimal");
  return Buffer.from(text, "hex").toString("utf8");
}

/** Escapes a text for a query: spaces are `+`. */
function escapeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

function unescapeQuery(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw undefinedResult("not a query");
  }
}

function encodeQueryObject(args: Arguments): string {
  const pairs = entriesOf(objectAt(args, 0)).flatMap(([key, value]) => {
    if (typeof key !== "string") throw undefinedResult("keys must be strings");
    const values: readonly RegoValue[] = isArray(value) ? value : isSet(value) ? [...value] : [value];
    return values.map((one) => {
      if (typeof one !== "string") throw undefinedResult("values must be strings");
      return [key, one] as const;
    });
  });
  pairs.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return pairs.map(([key, value]) => `${escapeQuery(key)}=${escapeQuery(value)}`).join("&");
}

function decodeQueryObject(args: Arguments): RegoValue {
  const values = new Map<string, string[]>();
  for (const pair of stringAt(args, 0).split("&")) {
    if (pair === "") continue;
    if (pair.includes(";")) throw undefinedResult("not a query");
    const [key = "", ...rest] = pair.split("=");
    const name = unescapeQuery(key);
    values.set(name, [...(values.get(name) ?? []), unescapeQuery(rest.join("="))]);
  }
  return Object.fromEntries(values);
}

function isJson(args: Arguments): boolean {
  const [text] = args;
  try {
    JSON.parse(typeof text === "string" ? text : "");
    return true;
  } catch {
    return false;
  }
}

function unmarshal(args: Arguments): RegoValue {
  if (!isJson(args)) throw undefinedResult("not JSON");
  return fromModuleText(stringAt(args, 0));
}

export const ENCODING: Builtins = {
  "base64.encode": (args) => Buffer.from(stringAt(args, 0)).toString("base64"),
  "base64.decode": decodeBase64,
  "base64.is_valid": ([text]) => typeof text === "string" && BASE64.test(text.replaceAll(/[\r\n]/g, "")),
  "base64url.encode": encodeBase64Url,
  "base64url.encode_no_pad": (args) => Buffer.from(stringAt(args, 0)).toString("base64url"),
  "base64url.decode": decodeBase64Url,
  "hex.encode": (args) => Buffer.from(stringAt(args, 0)).toString("hex"),
  "hex.decode": decodeHex,
  "urlquery.encode": (args) => escapeQuery(stringAt(args, 0)),
  "urlquery.decode": (args) => unescapeQuery(stringAt(args, 0)),
  "urlquery.encode_object": encodeQueryObject,
  "urlquery.decode_object": decodeQueryObject,
  "json.is_valid": isJson,
  "json.unmarshal": unmarshal,
};
