import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { listCost } from "../kit/list-cost.ts";

builder.queryField("cronTimes", (t) =>
  t.field({
    type: ["DateTime"],
    description:
      "The next times that a cron expression names in a time zone, as a schedule with it would be due; `spreadMinutes` adds to them. Fewer than asked for if there are no more. INVALID_INPUT names `cron` or `timeZone` if it is wrong.",
    args: {
      cron: t.arg.string({
        required: true,
        description: "Five fields: minute, hour, day of month, month, day of week.",
      }),
      timeZone: t.arg.string({ required: true, description: "An IANA name, such as `Europe/Berlin`." }),
      first: t.arg.int({
        required: true,
        defaultValue: 5,
        extensions: listCost({ max: LIMITS.cronTimes, size: 5, perPoint: 1 }),
        description: `How many times: at most ${LIMITS.cronTimes}.`,
      }),
    },
    resolve: async (_root, args, { domain, caller }) => {
      const times = await domain.cronTimes(caller, args);
      return times.map((time) => time.toISOString());
    },
  }),
);
