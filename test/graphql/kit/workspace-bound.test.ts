/** Which fields of a stream's document may show something beyond the workspace of an item. */
import {
  GraphQLInterfaceType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  TypeInfo,
  parse,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { describe, expect, it } from "vitest";
import { requiredPermissions } from "../../../src/graphql/kit/field-permissions.ts";
import { LEAVES_WORKSPACE, leavesWorkspace } from "../../../src/graphql/kit/workspace-bound.ts";

const name = { type: GraphQLString };
const ofRun = requiredPermissions("RUN_READ");
const ofOrganization = requiredPermissions("ORGANIZATION_READ");
const elsewhere = requiredPermissions("MEMBER_READ");

const Named = new GraphQLInterfaceType({ name: "Named", fields: { name, friend: name, twin: name } });
const Part = new GraphQLObjectType({
  name: "Part",
  interfaces: [Named],
  // Reading a run is enough to read it.
  extensions: requiredPermissions("RUN_READ", "MEMBER_READ"),
  fields: { name, friend: name, twin: name },
});
const Member = new GraphQLObjectType({
  name: "Member",
  interfaces: [Named],
  extensions: elsewhere,
  fields: {
    name,
    friend: { type: GraphQLString, extensions: LEAVES_WORKSPACE },
    twin: { type: GraphQLString, extensions: LEAVES_WORKSPACE },
  },
});
const Either = new GraphQLUnionType({ name: "Either", types: [Part, Member] });
const Organization = new GraphQLObjectType({
  name: "Organization",
  extensions: ofOrganization,
  fields: {
    name,
    secret: { type: GraphQLString, extensions: elsewhere },
    part: { type: Part },
  },
});
const Workspace: GraphQLObjectType = new GraphQLObjectType({
  name: "Workspace",
  extensions: requiredPermissions("WORKSPACE_READ"),
  fields: { name, organization: { type: Organization } },
});
const Run = new GraphQLObjectType({
  name: "Run",
  extensions: ofRun,
  fields: {
    name,
    workspace: { type: new GraphQLNonNull(Workspace) },
    secret: { type: GraphQLString, extensions: elsewhere },
    other: { type: GraphQLString, extensions: LEAVES_WORKSPACE },
    part: { type: Part },
    member: { type: Member },
    either: { type: Either },
    named: { type: Named },
  },
});
const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { run: { type: Run } } }) });

/** The fields of the document that leave the workspace, by their names. */
function leaving(document: string, of: GraphQLSchema = schema): string[] {
  const found: string[] = [];
  const types = new TypeInfo(of);
  visit(
    parse(document),
    visitWithTypeInfo(types, {
      Field: ({ name: { value } }) => {
        if (leavesWorkspace(of, types, value)) found.push(value);
      },
    }),
  );
  return found;
}

describe("a field leaves the workspace of its item", () => {
  it("if it has the mark, itself or in a type that implements the interface", () => {
    expect(leaving("{ run { __typename name other named { name friend twin } } }")).toEqual([
      "other",
      "named",
      "friend",
      "twin",
    ]);
  });

  it("if what it gives is read by rights that no workspace has, in one of its types at least", () => {
    expect(leaving("{ run { part { name } member { name } either { __typename } } }")).toEqual(["member", "either"]);
  });

  it("if it takes more than the organization that has it", () => {
    const document = "{ run { name secret workspace { organization { name secret part { name } } } } }";
    expect(leaving(document)).toEqual(["secret", "part"]);
  });
});
