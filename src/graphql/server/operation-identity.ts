import { createHash } from "node:crypto";
import { type DocumentNode, type GraphQLSchema, Kind, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import type { ActorCaller } from "../../model/people/permission.ts";
import { fingerprint, restricted } from "../../model/people/rights.ts";
import { NO_PERMISSIONS, type PermissionSet, permissionSet, union } from "../../model/people/permission-set.ts";
import { permissionsOfField } from "../kit/field-permissions.ts";
import { isMarked } from "../kit/marked-field.ts";
import type { OperationRequest } from "./operation.ts";

/** The arguments of streams that decide where a reader begins, and not what it reads. */
const BEGINNINGS = new Set(["after", "tail"]);
/** The actor of executions that do not depend on the actor. A field without its mark shows no person's view. */
const ANONYMOUS = { id: "", kind: "SYSTEM", name: "anonymous" } as const;

/** A shared execution belongs to no credential. */
const SHARED = { type: "actor", credential: "TOKEN", credentialId: "" } as const;

interface DocumentFacts {
  /** All permissions that the fields of the document may require. */
  permissions: PermissionSet;
  dependsOnActor: boolean;
  /** Variables that are used as beginnings and as nothing else. */
  beginnings: ReadonlySet<string>;
}

/** The identity of a subscription: requests with the same key get the same items, apart from where they begin. */
export interface OperationIdentity {
  key: string;
  /** The caller with the rights by which the subscription is executed for all of them. */
  caller: ActorCaller;
}

const known = new WeakMap<DocumentNode, DocumentFacts>();

/**
 * Returns the identity of a subscription: its document and variables, and the rights of the caller that the document can
 * use. Its execution has exactly these rights, so that no reader gets more than it may see itself.
 */
export function identityOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { query, operationName, variables }: OperationRequest,
  { actor, rights, accessVersion }: Pick<ActorCaller, "actor" | "rights" | "accessVersion">,
): OperationIdentity {
  const { permissions, dependsOnActor, beginnings } = factsOf(schema, document);
  const shown = restricted(rights, permissions);
  const given = Object.entries(variables ?? {}).filter(([name]) => !beginnings.has(name));
  const actorId = dependsOnActor ? actor.id : null;
  const parts = [query, operationName ?? null, sorted(Object.fromEntries(given)), fingerprint(shown), actorId];
  return {
    key: createHash("sha256").update(JSON.stringify(parts)).digest("base64"),
    caller: { ...SHARED, rights: shown, accessVersion, actor: dependsOnActor ? actor : ANONYMOUS },
  };
}

function factsOf(schema: GraphQLSchema, document: DocumentNode): DocumentFacts {
  const found = known.get(document) ?? readFacts(schema, document);
  known.set(document, found);
  return found;
}

/** Reads the facts of a whole document, which hold for each of its operations. */
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
        permissions = union(permissions, permissionSet(permissionsOfField(schema, types, name.value)));
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

/** Sorts the names of the objects within a value, so that equal values have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, part]) => [name, sorted(part)]);
}
