/** The proof of which person a user is: an account at the identity provider, or a passkey from an invitation. */
export const IDENTIFICATIONS = ["PROVIDER", "PASSKEY"] as const;
export type Identification = (typeof IDENTIFICATIONS)[number];
