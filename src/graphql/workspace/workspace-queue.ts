import { LIMITS } from "../../model/kit/limits.ts";
import { queuePosition, readQueuePosition, writeQueuePosition } from "../../model/run/queue-position.ts";
import { builder } from "../kit/builder.ts";
import { toConnection } from "../kit/connection.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { listCost } from "../kit/list-cost.ts";
import { toPageRequest } from "../kit/page.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { RunConnectionRef } from "../run/run-list.ts";

builder.objectField(WorkspaceRef, "queue", (t) =>
  t.field({
    type: RunConnectionRef,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The runs that wait for the workspace, in the order in which they are admitted if nothing else blocks them: approved ones, those to be planned again, then new ones by priority and number. Speculative plans are in the list and wait for no other run.",
    args: {
      first: t.arg.int({
        extensions: listCost({ max: LIMITS.pageSize, size: LIMITS.defaultPageSize, perPoint: 1 }),
        description: `The number of runs; at most ${LIMITS.pageSize}, ${LIMITS.defaultPageSize} by default.`,
      }),
      after: t.arg.string({ description: "Only runs that come after the place of this cursor." }),
    },
    resolve: async ({ id }, { first, after }, { caller, domain }) => {
      const name = `queue of ${id}`;
      const request = toPageRequest({ first, after }, { name, position: readQueuePosition });
      const page = await domain.listQueue(caller, id, request);
      const connection = toConnection(name, page, (run) => writeQueuePosition(queuePosition(run)));
      return { ...connection, totalCount: () => domain.countQueue(caller, id, LIMITS.countAtMost) };
    },
  }),
);
