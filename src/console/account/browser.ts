const BROWSERS = [/Firefox\/\d+/, /Edg\/\d+/, /Chrome\/\d+/, /Version\/\d+.*Safari/];
/** Android names Linux as well, and iPhones a Mac: the first that is found counts. */
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS X", "Linux"];

/** Shortens the name that a browser gives itself: its product and its system. A name of another form stays. */
export function browserOf(userAgent: string | null): string {
  if (userAgent === null) return "a browser";
  const product = BROWSERS.map((pattern) => pattern.exec(userAgent)?.[0]).find((found) => found !== undefined);
  if (product === undefined) return userAgent;
  const name = product
    .replace("Edg/", "Edge/")
    .replace(/Version\/(\d+).*/, "Safari/$1")
    .replace("/", " ");
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  return system === undefined ? name : `${name} on ${system}`;
}
