import { getNamedType, isUnionType } from "graphql";
import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/domain/domain.ts";
import { schema } from "../../../src/graphql/server/schema.ts";
import { USER_ERRORS } from "../../../src/model/kit/user-error.ts";

const mutations = schema.getMutationType()?.getFields() ?? {};

test("every command has a mutation of its name, and every mutation a command", () => {
  expect(Object.keys(mutations).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

test.each(Object.entries(COMMANDS))(
  "the union of %s has its success and the errors of its command",
  (name, command) => {
    const type = getNamedType(mutations[name]?.type);
    const members = isUnionType(type) ? type.getTypes().map((member) => member.name) : [];
    const success = `${name.charAt(0).toUpperCase()}${name.slice(1)}Success`;
    const errors = command.errors.map((code): string => USER_ERRORS[code].type);
    expect(members.toSorted()).toEqual([success, ...errors].toSorted());
  },
);
