/* agent.c - a program that walks the Slippery T-Maze (default shape) as `vouch act` tells it.
 *
 *     cc -std=c11 -D_POSIX_C_SOURCE=200809L agent.c -o agent
 *     vouch generate t-maze -o maze.json
 *     ./agent vouch maze.json 2          # environment 2: two slippery cells
 *
 * It starts vouch with two pipes, reads the action of each line, moves, and writes back what it saw.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Corridor x0 x1 s x3; above its end u1 r; below it d1 c. */
static const char *const cells[] = {"x0", "x1", "s", "x3", "u1", "r", "d1", "c"};
enum { X0, X1, S, X3, U1, R, D1, C };

/* The cell that `action` aims at from `cell`. */
static int aim(int cell, const char *action)
{
    if (cell <= X3 && strcmp(action, "east") == 0) return cell < X3 ? cell + 1 : cell;
    if (cell <= X3 && strcmp(action, "west") == 0) return cell > X0 ? cell - 1 : cell;
    if (strcmp(action, "north") == 0) return cell == X3 ? U1 : cell == U1 ? R : cell == D1 ? X3 : cell == C ? D1 : cell;
    if (strcmp(action, "south") == 0) return cell == X3 ? D1 : cell == D1 ? C : cell == U1 ? X3 : cell == R ? U1 : cell;
    return cell;
}

/* Copies the text behind "key":" up to the next quote. 0, or -1 if there is none. */
static int find_text(const char *line, const char *key, char *out, size_t size)
{
    const char *at = strstr(line, key);
    if (!at) return -1;
    at += strlen(key);
    size_t n = strcspn(at, "\"");
    if (n >= size) return -1;
    memcpy(out, at, n);
    out[n] = '\0';
    return 0;
}

int main(int argc, char **argv)
{
    int to[2], from[2];
    if (argc != 4) {
        fprintf(stderr, "usage: agent VOUCH MAZE.json ENVIRONMENT\n");
        return 2;
    }
    int slippery = atoi(argv[3]);
    if (pipe(to) || pipe(from)) return 2;
    pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) {
        dup2(to[0], 0), dup2(from[1], 1);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execlp(argv[1], argv[1], "act", argv[2], "-L", "1", (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    FILE *out = fdopen(to[1], "w"), *in = fdopen(from[0], "r");
    char line[4096], action[64];
    int cell = X0, total = 0;
    srand((unsigned)slippery);
    while (out && in && fgets(line, sizeof line, in)) {
        if (strstr(line, "\"done\":true")) {
            printf("reward %d, ended in %s: %s", total, cells[cell], line);
            break;
        }
        if (find_text(line, "\"action\":\"", action, sizeof action)) {
            fprintf(stderr, "not understood: %s", line);
            return 2;
        }
        int next = aim(cell, action), reward = cell == R;
        if (cell <= S && cell > S - slippery && rand() % 5 == 0) next = cell; /* slipped */
        printf("%s: %s -> %s\n", cells[cell], action, cells[next]);
        cell = next;
        total += reward;
        fprintf(out, "{\"reward\":%d,\"state\":\"%s\"}\n", reward, cells[cell]);
        fflush(out);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
