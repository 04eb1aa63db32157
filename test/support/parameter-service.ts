/** A service on loopback that keeps parameters as the Parameter Store of AWS does, for its provider. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const requestSchema = z.object({
  Name: z.string().optional(),
  ResourceId: z.string().optional(),
  Type: z.string().optional(),
  Value: z.string().optional(),
  Description: z.string().optional(),
  ParameterFilters: z.array(z.object({ Values: z.array(z.string()) })).optional(),
});
type ServiceRequest = z.infer<typeof requestSchema>;

export interface Parameter {
  Type: string;
  Value: string;
  Description: string;
  Version: number;
}

export interface ParameterService extends AsyncDisposable {
  readonly url: string;
  /** The parameters by name; changing the map is a change that no run made. */
  readonly parameters: Map<string, Parameter>;
}

export async function startParameterService(): Promise<ParameterService> {
  const parameters = new Map<string, Parameter>();
  const server = createServer((request, response) => {
    void read(request).then(
      (asked) => {
        const answer = answerTo(parameters, operationOf(request), asked);
        response.writeHead(answer === null ? 400 : 200, { "content-type": "application/x-amz-json-1.1" });
        response.end(JSON.stringify(answer ?? { __type: "ParameterNotFound" }));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    parameters,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<ServiceRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString() || "{}"));
}

const operationOf = ({ headers }: IncomingMessage): string => String(headers["x-amz-target"]).replace(/^.*\./, "");

/** Answers an operation; `null` if there is no such parameter. */
function answerTo(parameters: Map<string, Parameter>, operation: string, asked: ServiceRequest): object | null {
  const name = asked.Name ?? asked.ResourceId ?? asked.ParameterFilters?.[0]?.Values[0] ?? "";
  const found = parameters.get(name);
  switch (operation) {
    case "PutParameter": {
      const Version = (found?.Version ?? 0) + 1;
      const { Type = "String", Value = "", Description = "" } = asked;
      parameters.set(name, { Type, Value, Description, Version });
      return { Version, Tier: "Standard" };
    }
    case "GetParameter":
      return found === undefined ? null : { Parameter: shown(name, found) };
    case "DescribeParameters":
      return { Parameters: found === undefined ? [] : [{ ...shown(name, found), Tier: "Standard" }] };
    case "ListTagsForResource":
      return { TagList: [] };
    default:
      throw new Error(`The service has no ${operation}.`);
  }
}

function shown(name: string, parameter: Parameter): object {
  return { ...parameter, Name: name, DataType: "text", ARN: `arn:aws:ssm:us-east-1:000000000000:parameter/${name}` };
}
