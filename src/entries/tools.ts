/**
 * Tools: how to make them, and portable ones for files and the shell, confined to a folder.
 *
 * @example
 * import { workspaceTools } from 'artoo/tools';
 * const tools = workspaceTools({ root: './notes' });
 */
export { defineTool } from '../tools/define-tool.js';
export type { ToolDefinition, ToolInput } from '../tools/define-tool.js';
export { createToolRegistry } from '../tools/registry.js';
export type { ToolRegistry } from '../tools/registry.js';
export { ToolError } from '../tools/tool-error.js';
export type { ToolErrorOptions } from '../tools/tool-error.js';
export { classifyToolError } from '../tools/classify-error.js';
export { runTool } from '../tools/run-tool.js';
export type { ToolRunOptions, ToolRunResult } from '../tools/run-tool.js';

export { editFile } from '../tools/portable/edit-file.js';
export { glob } from '../tools/portable/glob.js';
export { grep } from '../tools/portable/grep.js';
export { listFiles } from '../tools/portable/list-files.js';
export type { SearchToolOptions } from '../tools/portable/list-files.js';
export { readFile } from '../tools/portable/read-file.js';
export { analyzeShell } from '../tools/shell/analyze-shell.js';
export type { AnalyzeShellOptions, ShellAnalysis, ShellFinding, ShellProgramRule, ShellRange } from '../tools/shell/types.js';
export { shell } from '../tools/portable/shell.js';
export type { ShellOptions } from '../tools/portable/shell.js';
export { writeFile } from '../tools/portable/write-file.js';
export type { OverwritePolicy, WriteFileOptions } from '../tools/portable/write-content.js';
export type { SandboxOptions, SandboxPort, SandboxProblem, SandboxSetting } from '../tools/portable/sandbox.js';
export { forgetBackups, undoableTasks, undoTask } from '../adapters/node-undo.js';
export type { UndoableTask, UndoReport, UndoTaskOptions } from '../adapters/node-undo.js';
export { mcpTools } from '../adapters/mcp.js';
export type { McpChange, McpClient, McpTools, McpToolsOptions } from '../adapters/mcp.js';
export { openWorkspace } from '../adapters/node-workspace.js';
export type { OpenWorkspaceOptions } from '../adapters/node-workspace.js';
export { workspaceTools } from '../adapters/node-workspace-tools.js';
export type { WorkspaceToolsOptions } from '../adapters/node-workspace-tools.js';
export { fetchUrl, webSearch } from '../adapters/node-web.js';
export type { FetchUrlOptions, WebSearchOptions } from '../adapters/node-web.js';
export { duckDuckGo } from '../tools/web/duck-duck-go.js';
export type { DuckDuckGoOptions } from '../tools/web/duck-duck-go.js';
export { searxng } from '../tools/web/searxng.js';
export type { SearxngOptions } from '../tools/web/searxng.js';
export type { SearchBackend, SearchContext, SearchFunction, SearchPage, SearchPageRequest, SearchResult } from '../tools/web/search-backend.js';
export type {
  CapturedOutput, CommandOptions, CommandOutcome, DirectoryEntry, EntryKind, FileStatus, FileWorkspace, LineMatcher, OpenFile, WriteOptions, WriteOutcome,
} from '../tools/portable/file-workspace.js';

export type { Effect, JsonSchema, ProbeAnswer, SandboxPolicy, StandardResult, StandardSchema, Tool, ToolContext, ToolProbeContext, Workspace } from '../contracts/tool.js';
