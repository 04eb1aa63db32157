import { createHash } from "node:crypto";
import { type DocumentNode, type GraphQLSchema, Kind, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import type { TokenCaller } from "../../model/people/permission.ts";
import { fingerprint, restricted } from "../../model/people/grant.ts";
import { NO_PERMISSIONS, type PermissionSet, permissionSet, union } from "../../model/people/permission-set.ts";
import { permissionsAt } from "../kit/asks-for.ts";
import { isMarked } from "../kit/marked-field.ts";
import type { OperationRequest } from "./operation.ts";

/** Arguments of streams that say where a reader begins, and nothing about what it reads. */
const BEGINNINGS = new Set(["after", "tail"]);
/** Who reads where nothing depends on that: a field without its mark shows nobody's view, and never another person's. */
const NOBODY = { id: "", kind: "SYSTEM", name: "nobody" } as const;

interface DocumentFacts {
  /** Everything that the fields of the document may ask for. */
  permissions: PermissionSet;
  dependsOnActor: boolean;
  /** Variables that are used as beginnings and as nothing else. */
  beginnings: ReadonlySet<string>;
}

/** What a subscription is: requests with the same key get the same items, from wherever they begin. */
export interface OperationIdentity {
  key: string;
  /** By which rights it is executed for all of them. */
  caller: TokenCaller;
}

const known = new WeakMap<DocumentNode, DocumentFacts>();

/**
 * The identity of a subscription: what its document can ask for, and how much of that the caller may see. Its execution
 * has exactly these rights, so that no reader is sent what another one with the same key may not see.
 */
export function identityOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { query, operationName, variables }: OperationRequest,
  { actor, rights }: Pick<TokenCaller, "actor" | "rights">,
): OperationIdentity {
  const { permissions, dependsOnActor, beginnings } = factsOf(schema, document);
  const shown = restricted(rights, permissions);
  const given = Object.entries(variables ?? {}).filter(([name]) => !beginnings.has(name));
  const actorId = dependsOnActor ? actor.id : null;
  const parts = [query, operationName ?? null, sorted(Object.fromEntries(given)), fingerprint(shown), actorId];
  return {
    key: createHash("sha256").update(JSON.stringify(parts)).digest("base64"),
    caller: { type: "token", tokenId: "", role: "READER", rights: shown, actor: dependsOnActor ? actor : NOBODY },
  };
}

function factsOf(schema: GraphQLSchema, document: DocumentNode): DocumentFacts {
  const found = known.get(document) ?? readFacts(schema, document);
  known.set(document, found);
  return found;
}

/** Of the document as a whole, whichever of its operations is chosen. */
function readFacts(schema: GraphQLSchema, document: DocumentNode): DocumentFacts {
  const beginnings = new Set<string>();
  const others = new Set<string>();
  let dependsOnActor = false;
  let permissions = NO_PERMISSIONS;
  const types = new TypeInfo(schema);
  const root = schema.getSubscriptionType();
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        dependsOnActor ||= isMarked(schema, types, name.value, "dependsOnActor");
        permissions = union(permissions, permissionSet(permissionsAt(schema, types, name.value)));
      },
      Argument: ({ name, value }) => {
        const begins = types.getParentType() === root && BEGINNINGS.has(name.value);
        if (!begins || value.kind !== Kind.VARIABLE) return undefined;
        beginnings.add(value.name.value);
        return false;
      },
      // Neither its name nor its default is a use; the server knows no directive there.
      VariableDefinition: () => false,
      Variable: ({ name }) => {
        others.add(name.value);
      },
    }),
  );
  return { permissions, dependsOnActor, beginnings: beginnings.difference(others) };
}

/** The same value with the names of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, part]) => [name, sorted(part)]);
}
