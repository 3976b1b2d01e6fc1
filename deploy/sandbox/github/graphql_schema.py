"""The GraphQL types that review threads and hidden comments need, by GitHub's names."""

from __future__ import annotations

import functools

import graphql

SCHEMA_TEXT = """
scalar DateTime
scalar URI
interface Node { id: ID! }
interface Actor { login: String! url: URI! avatarUrl: URI! }
interface Minimizable { isMinimized: Boolean! minimizedReason: String }
type User implements Node & Actor {
  id: ID! login: String! url: URI! avatarUrl: URI! databaseId: Int }
type Bot implements Node & Actor {
  id: ID! login: String! url: URI! avatarUrl: URI! databaseId: Int }
type Organization implements Node & Actor {
  id: ID! login: String! url: URI! avatarUrl: URI! databaseId: Int }
type PageInfo {
  hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type Repository implements Node {
  id: ID! databaseId: Int name: String! nameWithOwner: String! isPrivate: Boolean!
  isArchived: Boolean! pullRequest(number: Int!): PullRequest }
enum PullRequestState { OPEN CLOSED MERGED }
type PullRequest implements Node {
  id: ID! databaseId: Int number: Int! title: String! body: String! state: PullRequestState!
  isDraft: Boolean! headRefOid: String! headRefName: String! baseRefName: String! url: URI!
  author: Actor repository: Repository!
  reviewThreads(first: Int, after: String, last: Int, before: String)
    : PullRequestReviewThreadConnection! }
enum DiffSide { LEFT RIGHT }
enum PullRequestReviewThreadSubjectType { LINE FILE }
type PullRequestReviewThread implements Node {
  id: ID! path: String! line: Int originalLine: Int startLine: Int originalStartLine: Int
  diffSide: DiffSide! startDiffSide: DiffSide isResolved: Boolean! isOutdated: Boolean!
  isCollapsed: Boolean! resolvedBy: User subjectType: PullRequestReviewThreadSubjectType!
  viewerCanResolve: Boolean! viewerCanUnresolve: Boolean! viewerCanReply: Boolean!
  pullRequest: PullRequest! repository: Repository!
  comments(first: Int, after: String, last: Int, before: String)
    : PullRequestReviewCommentConnection! }
type PullRequestReviewThreadConnection {
  nodes: [PullRequestReviewThread] edges: [PullRequestReviewThreadEdge]
  pageInfo: PageInfo! totalCount: Int! }
type PullRequestReviewThreadEdge { cursor: String! node: PullRequestReviewThread }
enum PullRequestReviewState { PENDING COMMENTED APPROVED CHANGES_REQUESTED DISMISSED }
enum PullRequestReviewCommentState { PENDING SUBMITTED }
type PullRequestReviewComment implements Node & Minimizable {
  id: ID! databaseId: Int fullDatabaseId: String body: String! path: String! url: URI!
  author: Actor createdAt: DateTime! updatedAt: DateTime! line: Int originalLine: Int
  startLine: Int originalStartLine: Int outdated: Boolean! diffHunk: String!
  state: PullRequestReviewCommentState! replyTo: PullRequestReviewComment
  isMinimized: Boolean! minimizedReason: String pullRequestReview: PullRequestReview
  authorAssociation: String! }
type PullRequestReviewCommentConnection {
  nodes: [PullRequestReviewComment] edges: [PullRequestReviewCommentEdge]
  pageInfo: PageInfo! totalCount: Int! }
type PullRequestReviewCommentEdge { cursor: String! node: PullRequestReviewComment }
type PullRequestReview implements Node & Minimizable {
  id: ID! databaseId: Int body: String! state: PullRequestReviewState! url: URI! author: Actor
  submittedAt: DateTime isMinimized: Boolean! minimizedReason: String }
type IssueComment implements Node & Minimizable {
  id: ID! databaseId: Int body: String! url: URI! author: Actor createdAt: DateTime!
  isMinimized: Boolean! minimizedReason: String }
enum ReportedContentClassifiers { SPAM ABUSE OFF_TOPIC OUTDATED DUPLICATE RESOLVED }
input ResolveReviewThreadInput { clientMutationId: String threadId: ID! }
type ResolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
input UnresolveReviewThreadInput { clientMutationId: String threadId: ID! }
type UnresolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
input MinimizeCommentInput {
  clientMutationId: String subjectId: ID! classifier: ReportedContentClassifiers! }
type MinimizeCommentPayload { clientMutationId: String minimizedComment: Minimizable }
input UnminimizeCommentInput { clientMutationId: String subjectId: ID! }
type UnminimizeCommentPayload { clientMutationId: String unminimizedComment: Minimizable }
type Query {
  repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  viewer: User! }
type Mutation {
  resolveReviewThread(input: ResolveReviewThreadInput!): ResolveReviewThreadPayload
  unresolveReviewThread(input: UnresolveReviewThreadInput!): UnresolveReviewThreadPayload
  minimizeComment(input: MinimizeCommentInput!): MinimizeCommentPayload
  unminimizeComment(input: UnminimizeCommentInput!): UnminimizeCommentPayload }
"""


@functools.cache
def schema() -> graphql.GraphQLSchema:
    """Built when the first query arrives: it takes some hundredths of a second."""
    return graphql.build_schema(SCHEMA_TEXT)
