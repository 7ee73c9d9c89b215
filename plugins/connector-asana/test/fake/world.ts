import { EventLog, type LoggedResource } from './event-log.js';

export interface StoredUser {
  readonly gid: string;
  readonly name: string;
}

export interface StoredProject {
  readonly gid: string;
  name: string;
  notes: string;
  isArchived: boolean;
  /** Whether the owner of the token may not read its tasks. */
  isClosed: boolean;
  readonly createdAt: number;
}

export interface StoredTask {
  readonly gid: string;
  name: string;
  notes: string;
  projects: readonly string[];
  /** The section of the task in each project. */
  section: string;
  readonly parent: string | null;
  readonly createdAt: number;
  modifiedAt: number;
  completedAt: number | null;
  assignee: StoredUser | null;
  tags: readonly string[];
  /** The custom fields by their names, as they are displayed. */
  customFields: Readonly<Record<string, string | null>>;
}

export interface StoredStory {
  readonly gid: string;
  readonly task: string;
  readonly type: 'comment' | 'system';
  text: string;
  readonly createdAt: number;
  readonly author: StoredUser | null;
  isEdited: boolean;
}

export interface StoredUpdate {
  readonly gid: string;
  readonly project: string;
  readonly title: string;
  readonly text: string;
  readonly status: string;
  readonly createdAt: number;
}

type NewTask = Pick<StoredTask, 'name'> & Partial<Omit<StoredTask, 'gid'>>;
type TaskChanges = Partial<
  Pick<StoredTask, 'name' | 'notes' | 'section' | 'assignee' | 'tags' | 'customFields'>
>;

/** What the service stores. All changes happen at `now`. */
export class AsanaWorld {
  now = Date.now();
  readonly tokens = new Set(['token-1']);
  workspace = { gid: '1001', name: 'Acme' };
  readonly ada: StoredUser = { gid: '2001', name: 'Ada Archer' };
  readonly bob: StoredUser = { gid: '2002', name: 'Bob Baker' };
  readonly projects = new Map<string, StoredProject>();
  readonly tasks = new Map<string, StoredTask>();
  readonly stories = new Map<string, StoredStory>();
  readonly updates = new Map<string, StoredUpdate>();
  readonly events = new EventLog();
  /** The offsets of other generations have expired. */
  offsetGeneration = 1;
  #last = 10_000;

  addProject(name: string, values: Partial<StoredProject> = {}): StoredProject {
    const project = {
      gid: this.#nextId(),
      notes: '',
      isArchived: false,
      isClosed: false,
      createdAt: this.now,
      ...values,
      name,
    };
    this.projects.set(project.gid, project);
    return project;
  }

  /** Deletes a project with the tasks that are in no other one. */
  deleteProject(gid: string): void {
    for (const task of this.tasksOf(gid)) {
      task.projects = task.projects.filter((project) => project !== gid);
      if (task.projects.length === 0) this.#drop(task.gid);
    }
    this.projects.delete(gid);
  }

  addTask({ name, ...values }: NewTask): StoredTask {
    const task: StoredTask = {
      gid: this.#nextId(),
      notes: '',
      projects: [],
      section: 'To do',
      parent: null,
      createdAt: this.now,
      modifiedAt: this.now,
      completedAt: null,
      assignee: null,
      tags: [],
      customFields: {},
      ...values,
      name,
    };
    this.tasks.set(task.gid, task);
    for (const project of task.projects) this.#log(task, 'added', { project });
    if (task.parent !== null) this.#log(task, 'added', { task: task.parent });
    this.#addStory(task.gid, 'system', 'created this task', this.ada);
    return task;
  }

  editTask(gid: string, changes: TaskChanges): void {
    const task = this.task(gid);
    Object.assign(task, changes);
    task.modifiedAt = this.now;
    this.#log(task, 'changed');
  }

  complete(gid: string): void {
    const task = this.task(gid);
    task.completedAt = this.now;
    task.modifiedAt = this.now;
    this.#log(task, 'changed');
    this.#addStory(gid, 'system', 'marked this task complete', this.bob);
  }

  /** Adds a task to a project, which does not change its time of modification. */
  addToProject(gid: string, project: string): void {
    const task = this.task(gid);
    task.projects = [...task.projects, project];
    this.#log(task, 'added', { project });
  }

  removeFromProject(gid: string, project: string): void {
    const task = this.task(gid);
    this.#log(task, 'removed', { project });
    task.projects = task.projects.filter((each) => each !== project);
  }

  /** Deletes a task with its subtasks. Only the task itself has an event. */
  deleteTask(gid: string): void {
    this.#log(this.task(gid), 'deleted');
    this.#drop(gid);
  }

  comment(task: string, text: string, author: StoredUser | null = this.bob): StoredStory {
    const story = this.#addStory(task, 'comment', text, author);
    this.task(task).modifiedAt = this.now;
    return story;
  }

  /** Changes a comment, which does not change the time of its task. */
  editComment(gid: string, text: string): void {
    const story = this.story(gid);
    story.text = text;
    story.isEdited = true;
    this.#logStory(story, 'changed', null);
  }

  deleteComment(gid: string): void {
    const story = this.story(gid);
    this.task(story.task).modifiedAt = this.now;
    this.#logStory(story, 'removed', { task: story.task });
    this.#logStory(story, 'deleted', null);
    this.stories.delete(gid);
  }

  addUpdate(project: string, title: string, text: string): StoredUpdate {
    const gid = this.#nextId();
    const update = { gid, project, title, text, status: 'on_track', createdAt: this.now };
    this.updates.set(gid, update);
    return update;
  }

  task(gid: string): StoredTask {
    const task = this.tasks.get(gid);
    if (task === undefined) throw new Error(`no task ${gid}`);
    return task;
  }

  story(gid: string): StoredStory {
    const story = this.stories.get(gid);
    if (story === undefined) throw new Error(`no story ${gid}`);
    return story;
  }

  tasksOf(project: string): StoredTask[] {
    return [...this.tasks.values()].filter(({ projects }) => projects.includes(project));
  }

  subtasksOf(gid: string): StoredTask[] {
    return [...this.tasks.values()].filter(({ parent }) => parent === gid);
  }

  storiesOf(task: string): StoredStory[] {
    return [...this.stories.values()].filter((story) => story.task === task);
  }

  updatesOf(project: string): StoredUpdate[] {
    return [...this.updates.values()].filter((update) => update.project === project);
  }

  #drop(gid: string): void {
    for (const subtask of this.subtasksOf(gid)) this.#drop(subtask.gid);
    for (const story of this.storiesOf(gid)) this.stories.delete(story.gid);
    this.tasks.delete(gid);
  }

  #addStory(
    task: string,
    type: StoredStory['type'],
    text: string,
    author: StoredUser | null,
  ): StoredStory {
    const gid = this.#nextId();
    const story = { gid, task, type, text, createdAt: this.now, author, isEdited: false };
    this.stories.set(gid, story);
    this.#logStory(story, 'added', { task });
    return story;
  }

  #log(task: StoredTask, action: string, parent: LoggedResource | null = null): void {
    this.events.add(this.#projectsAround(task), { task: task.gid }, action, parent, this.now);
  }

  #logStory({ gid, task }: StoredStory, action: string, parent: LoggedResource | null): void {
    this.events.add(
      this.#projectsAround(this.task(task)),
      { story: gid },
      action,
      parent,
      this.now,
    );
  }

  /** Events of a subtask are also events of the projects of the tasks around it. */
  #projectsAround(task: StoredTask): ReadonlySet<string> {
    const outer = task.parent === null ? undefined : this.tasks.get(task.parent);
    return new Set([...task.projects, ...(outer === undefined ? [] : this.#projectsAround(outer))]);
  }

  #nextId(): string {
    this.#last += 7;
    return String(this.#last);
  }
}
