/** The schema of the peers whose resolvers are written by hand: the part of Holdpoint's that is asked for. */
export const TYPE_DEFINITIONS = `
  type Query {
    workspace(id: ID!): Workspace
    run(id: ID!): Run
    runs(first: Int!, after: String): RunConnection!
  }
  type Workspace { id: ID! name: String! runs(first: Int!, after: String): RunConnection! }
  type RunConnection { edges: [RunEdge!]! pageInfo: PageInfo! }
  type RunEdge { cursor: String! node: Run! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type Run {
    id: ID! number: Int! status: String! trigger: String! message: String createdAt: String! phases: [Phase!]!
    workspace: Workspace! createdBy: Actor!
  }
  type Actor { id: ID! name: String! }
  type Phase { kind: String! status: String! startedAt: String finishedAt: String }
`;
