import type { Place } from "./place.ts";
import { INSTALLATION, organizationPlace } from "./place.ts";

/** Tokens of another issuer for which a machine user gets a token of Holdpoint. */
export interface TrustRule {
  id: string;
  /** The machine user, and its organization; `null`: it belongs to the installation. */
  actorId: string;
  organizationId: string | null;
  /** The `iss` of the tokens, exactly. */
  issuer: string;
  /** One of the values of `aud`, exactly. */
  audience: string;
  /** A pattern of `sub`, in which `*` matches any text. */
  subject: string;
  /** Patterns of further claims, by their names. */
  claims: Readonly<Record<string, string>>;
  /** The life of the token of Holdpoint. */
  maxSeconds: number;
  createdAt: string;
}

/** The claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Returns the place at which the permission to change a rule is checked: that of its machine user. */
export function trustRulePlace({ organizationId }: Pick<TrustRule, "organizationId">): Place {
  return organizationId === null ? INSTALLATION : organizationPlace({ id: organizationId });
}

/** Whether a text fits a pattern, in which `*` matches any text. Takes linear time: patterns come from people. */
export function fitsPattern(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** Whether a rule covers a verified token. The issuer is known: the token was verified by its keys. */
export function coversToken({ issuer, audience, subject, claims }: TrustRule, token: Claims): boolean {
  const { iss, aud, sub } = token;
  const isFor = Array.isArray(aud) ? aud.includes(audience) : aud === audience;
  const isOf = iss === issuer && typeof sub === "string" && fitsPattern(subject, sub);
  return isFor && isOf && Object.entries(claims).every(([name, pattern]) => fitsClaim(pattern, token, name));
}

/** Whether a claim, or one value of a list, fits a pattern. One that is absent, or an object, fits none. */
function fitsClaim(pattern: string, token: Claims, name: string): boolean {
  const value = Object.hasOwn(token, name) ? token[name] : undefined;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.some((one) => {
    const isPlain = typeof one === "string" || typeof one === "number" || typeof one === "boolean";
    return isPlain && fitsPattern(pattern, String(one));
  });
}

/** An issuer whose tokens anyone can get: a rule must name the account that it trusts. */
interface PublicIssuer {
  issuer: string;
  name: string;
  /** The beginning of a subject that names an account, without `*`. */
  subject: RegExp;
  example: string;
  /** Claims that name an account, where one of them has no `*`. */
  claims: readonly string[];
}

const HCP_TERRAFORM = {
  subject: /^organization:[^:*]+:/,
  example: "organization:acme:*",
  claims: ["terraform_organization_id", "terraform_organization_name", "terraform_workspace_id"],
};

const PUBLIC_ISSUERS: readonly PublicIssuer[] = [
  {
    issuer: "https://token.actions.githubusercontent.com",
    name: "GitHub",
    subject: /^repo:[^/:*]+\//,
    example: "repo:acme/infrastructure:*",
    claims: ["repository_owner_id", "repository_owner", "repository_id", "repository"],
  },
  {
    issuer: "https://gitlab.com",
    name: "GitLab.com",
    subject: /^project_path:[^/:*]+\//,
    example: "project_path:acme/infrastructure:*",
    claims: ["namespace_id", "namespace_path", "project_id", "project_path"],
  },
  { issuer: "https://app.terraform.io", name: "HCP Terraform", ...HCP_TERRAFORM },
  { issuer: "https://app.eu.terraform.io", name: "HCP Terraform", ...HCP_TERRAFORM },
  {
    issuer: "https://agent.buildkite.com",
    name: "Buildkite",
    subject: /^organization:[^:*]+:/,
    example: "organization:acme:pipeline:infrastructure:*",
    claims: ["organization_slug", "organization_id", "pipeline_id"],
  },
  {
    issuer: "https://accounts.google.com",
    name: "Google",
    subject: /^\d+$/,
    example: "104817365920471936582",
    claims: ["email"],
  },
];

/** Returns why a rule would trust accounts of strangers, with an example of one that does not; `null` if it does not. */
export function strangersTrusted({
  issuer,
  subject,
  claims,
}: Pick<TrustRule, "issuer" | "subject" | "claims">): string | null {
  const found = PUBLIC_ISSUERS.find((one) => one.issuer === issuer.replace(/\/+$/, ""));
  if (found === undefined) return null;
  const isNamed = found.subject.test(subject);
  const isClaimed = found.claims.some((name) => Object.hasOwn(claims, name) && !claims[name]?.includes("*"));
  if (isNamed || isClaimed) return null;
  return `must name an account of ${found.name} before the first *, such as ${found.example}: anyone can get a token there.`;
}
