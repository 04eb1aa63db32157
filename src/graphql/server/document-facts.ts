import { type DocumentNode, type GraphQLSchema, Kind, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { NO_PERMISSIONS, type PermissionSet, permissionSet, union } from "../../model/people/permission-set.ts";
import { permissionsOfField } from "../kit/field-permissions.ts";
import { isMarked } from "../kit/marked-field.ts";
import { leavesWorkspace, organizationPermissions } from "../kit/workspace-bound.ts";

/** The arguments of streams that decide where a reader begins, and not what it reads. */
const BEGINNINGS = new Set(["after", "tail"]);

/** The facts on which the execution of a document may depend. */
export interface DocumentFacts {
  /** All permissions that the fields of the document may require. */
  permissions: PermissionSet;
  /** Those of them that it may require at the organization itself, if it does not leave the workspace. */
  atOrganization: PermissionSet;
  dependsOnActor: boolean;
  /** Whether it may show something of other workspaces than that of an item. */
  leavesWorkspace: boolean;
  /** Variables that are used as beginnings and as nothing else. */
  beginnings: ReadonlySet<string>;
}

const known = new WeakMap<DocumentNode, DocumentFacts>();

/** Returns the facts of a whole document, which hold for each of its operations. */
export function factsOf(schema: GraphQLSchema, document: DocumentNode): DocumentFacts {
  const found = known.get(document) ?? readFacts(schema, document);
  known.set(document, found);
  return found;
}

function readFacts(schema: GraphQLSchema, document: DocumentNode): DocumentFacts {
  const beginnings = new Set<string>();
  const others = new Set<string>();
  let dependsOnActor = false;
  let leaves = false;
  let permissions = NO_PERMISSIONS;
  const types = new TypeInfo(schema);
  const root = schema.getSubscriptionType();
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        dependsOnActor ||= isMarked(schema, types, name.value, "dependsOnActor");
        leaves ||= leavesWorkspace(schema, types, name.value);
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
  return {
    permissions,
    atOrganization: permissionSet(organizationPermissions(schema)),
    dependsOnActor,
    leavesWorkspace: leaves,
    beginnings: beginnings.difference(others),
  };
}
