import type { LogColor, LogSpan } from "../../model/log/log-span.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";

const LogColorEnum = describedEnum<LogColor>("LogColor", "A color of terminals, usual or bright.", {
  BLACK: "Black, or grey.",
  RED: "Red.",
  GREEN: "Green.",
  YELLOW: "Yellow.",
  BLUE: "Blue.",
  MAGENTA: "Magenta.",
  CYAN: "Cyan.",
  WHITE: "White.",
});

export const LogSpanRef = builder.objectRef<LogSpan>("LogSpan").implement({
  description: "A part of a line of a log that was written in a color or in bold.",
  fields: (t) => ({
    from: t.exposeInt("from", { description: "Where the part begins in the text, in UTF-16 code units, from 0." }),
    to: t.exposeInt("to", { description: "Where it ends, exclusive." }),
    color: t.expose("color", {
      type: LogColorEnum,
      nullable: true,
      description: "The color; null if it is only bold.",
    }),
    bold: t.exposeBoolean("bold", { description: "Whether the part is bold." }),
  }),
});
