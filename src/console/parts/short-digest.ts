/** Shortens the id of a commit or the digest of content: the first characters are enough for people. */
export const shortDigest = (digest: string): string => digest.slice(0, 12);
