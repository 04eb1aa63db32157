/** Texts of libraries that many providers use, for several reasons. */

/** Errors of Go's net and net/http packages. */
export const CONNECTION: readonly RegExp[] = [
  /\bdial (?:tcp|udp)(?: \S+)?: (?:(?:connect|getsockopt): (?:connection refused|connection timed out|network is unreachable|no route to host|cannot assign requested address|operation timed out|host is down)|i\/o timeout|lookup \S+(?: on \S+)?: (?:no such host|i\/o timeout|server misbehaving|Temporary failure in name resolution|(?:read|dial) udp))/,
  /\bnet\/http: (?:TLS handshake timeout|request canceled while waiting for connection|timeout awaiting response headers)/,
  /\(Client\.Timeout exceeded while [a-z ]+\)/,
  /\bread: connection (?:reset by peer|timed out)\b/,
  /\b(?:Get|Post|Put|Head|Patch|Delete) "?https?:\/\/\S+"?: (?:unexpected )?EOF(?=\W*$|\s)/,
  /\bhttp2: (?:client connection lost|server sent GOAWAY|timeout awaiting response headers)/,
  /\b(?:504|596|599) (?:Connection timed out|Gateway Time-?out)\b/,
];

/** Errors of a client that writes, of curl in git, and of ssh. */
export const TRANSFER: readonly RegExp[] = [
  /\bwrite: (?:broken pipe|connection reset by peer)\b/,
  // "unexpected EOF" alone is also a plugin that crashed.
  /^EOF$/,
  /\berror dialing endpoint '[^']+': context deadline exceeded\b/,
  /\bhttp: read on closed response body\b/,
  /\bCannot connect to the Docker daemon at \S+/,
  /\bCould not resolve host: \S+/,
  /\bFailed to connect to \S+ port \d+/,
  /\bRecv failure: Connection reset by peer\b/,
  /\bThe requested URL returned error: 50[234]\b/,
  /\bbad response code: 50[234]\b/,
  /\bssh: connect to host \S+ port \d+: (?:Connection (?:timed out|refused)|No route to host|Network is unreachable)/,
  /\bssh: Could not resolve hostname \S+/,
];

/** The status of an answer, as clients of HTTP write it: a number alone is none. */
export const answered = (status: number, phrase: string): readonly RegExp[] => [
  new RegExp(`\\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) https?:\\/\\/\\S+: ${status} `),
  new RegExp(`\\b${status} ${phrase}\\b`, "i"),
  new RegExp(
    `\\b(?:StatusCode|[Ss]tatus|[Ss]tatus [Cc]ode|[Rr]esponse code|HTTP status|HTTP|status_?[Cc]ode")[:=]? ?${status}\\b`,
  ),
];

/** Errors of those that wait for an object of a provider. */
export const WAITING: readonly RegExp[] = [
  /\btimeout while waiting for [^:]{1,80}? to (?:become|be) /,
  /\btimed out waiting for the condition\b/,
  /\bexceeded (?:max wait time for \w+ waiter|wait attempts)\b/,
  /(?:^|: )context deadline exceeded(?=\W*$|[,;] )/,
];
