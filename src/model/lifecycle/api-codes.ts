/** Finds the error codes of APIs in messages of providers. */

/**
 * The places in which SDKs write an error code. A word anywhere else is no code: a resource or a rule may be called
 * "AccessDenied".
 */
const PLACES: readonly RegExp[] = [
  // AWS: "Code: message" at the beginning or behind what was being done; since SDK v2 with a mark
  /(?<=^|: )([A-Z](?=[A-Za-z0-9]*[a-z][A-Z])[A-Za-z0-9]*(?:\.[A-Z][A-Za-z0-9]+)?): /g,
  /\bapi error ([A-Z][A-Za-z0-9.]+)\b/g,
  /\bRequestID: \S*,(?: HostID: \S*,)? ([A-Z][A-Za-z0-9]+): /g,
  // AWS: the waiter of an API, and one service that quotes another
  /\b(?:Error Code|error code|ERROR CODE|ErrorCode|errorCode)[:=] ?"?([A-Za-z][A-Za-z0-9_.]+)/g,
  /\bAn error occurred \(([A-Z][A-Za-z0-9.]+)\) when calling the /g,
  // Azure: a status, then the code
  /\bunexpected status \d{3}(?: \(\d{3} [A-Za-z .]+\))? with (?:(?:OData )?error: |response: [^:]{0,200}: )?([A-Z][A-Za-z0-9_]+)\b/g,
  /\b[Cc]ode ?[=:] ?"([A-Za-z][A-Za-z0-9_.]*)"/g,
  /\bCode=([A-Za-z][A-Za-z0-9_]*) Message=/g,
  // Oracle, Alibaba Cloud, Terraform's own
  /\bCode: ([A-Z][A-Za-z0-9_.]+)\b/g,
  /\bService error: ?([A-Z][A-Za-z0-9]+)\b/g,
  /\b\d{3}-([A-Z][A-Za-z]+)\b/g,
  // JSON and XML
  /"(?:code|Code|errorCode|reason|error|status)" ?: ?"([A-Za-z][A-Za-z0-9_.]*)"/g,
  /<Code>([A-Za-z][A-Za-z0-9.]*)<\/Code>/g,
  // Google: the reason of a list of errors
  /\b[Rr]eason: ([A-Za-z][A-Za-z_]+),/g,
  // gRPC; the limit of the size of a message is one of the client
  /\brpc error: code = ([A-Z][A-Za-z]+)\b(?! desc = grpc: )/g,
  // Hetzner Cloud: the code in brackets at the end, perhaps with the id of the request
  /\(([a-z]+(?:_[a-z]+)*)(?:, [0-9a-f]{8,})?\)(?=\W*$)/g,
  // SQLSTATE of databases
  /\((?:SQLSTATE )?(42501|42710|42P0[467])\)/g,
  // Azure Active Directory
  /\b(AADSTS\d+)\b/g,
];

/** Google writes the reason behind the message, and may add a sentence. */
const GOOGLE = "googleapi: Error ";
const GOOGLE_REASON = /, ([a-z]+[A-Z][A-Za-z]+)\b/g;

/** Returns the codes of a message, whose white space is single blanks. */
export function apiCodes(text: string): Set<string> {
  const places = text.includes(GOOGLE) ? [...PLACES, GOOGLE_REASON] : PLACES;
  return new Set(places.flatMap((place) => [...text.matchAll(place)].flatMap(([, code]) => code ?? [])));
}
