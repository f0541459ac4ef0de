# vouch: plans whose promises hold. `make demo` runs the main job, `make check` the tests, `make help` lists the rest.
CC       ?= cc
PYTHON   ?= $(or $(wildcard /usr/bin/python3),python3)
PREFIX   ?= /usr/local
# BLAS=reference builds with Debian's plain BLAS and LAPACK in the place of OpenBLAS.
BLAS     ?= openblas
BUILD    ?= $(if $(filter reference,$(BLAS)),build/reference,build)
# The version is kept in one place, vouch/status.h; the binary interface may change with each 0.x.
VERSION  := $(shell sed -n 's/^\#define VOUCH_VERSION "\(.*\)"/\1/p' include/vouch/status.h)
SONAME   := libvouch.so.$(basename $(VERSION))

WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
OPT      ?= -O2
# Files may come from anywhere: what the compiler and the linker can do against a fault in a reader. HARDEN= leaves it out (bench/NOTES.md has what it
# costs). _FORTIFY_SOURCE needs optimised code, and hides calls from the sanitizers.
HARDEN   ?= -fstack-protector-strong $(if $(findstring -fsanitize,$(EXTRA))$(filter-out -O1 -O2 -O3 -Os -Og,$(lastword -O0 $(filter -O%,$(OPT) $(EXTRA)))),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDEN_LINK ?= $(if $(HARDEN),-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)
HARDEN_PROGRAM ?= $(if $(HARDEN),-pie) $(HARDEN_LINK)
CPPFLAGS += -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc
CFLAGS   += -std=c11 $(OPT) $(HARDEN) -g -fPIC -fvisibility=hidden -ffp-contract=off -pthread $(WARN) $(EXTRA)
comma    := ,
ifeq ($(BLAS),reference)
# By their own paths, where Debian has them: the usual names are whatever BLAS the system has chosen for all programs.
CPPFLAGS += -DVOUCH_BLAS_REFERENCE
PLAIN    := $(wildcard /usr/lib/*/lapack/liblapack.so /usr/lib/*/blas/libblas.so)
BLAS_LIBS := -llapacke $(if $(word 2,$(PLAIN)),-Wl$(comma)--push-state$(comma)--no-as-needed $(PLAIN) -Wl$(comma)--pop-state $(patsubst %/,-Wl$(comma)-rpath$(comma)%,$(dir $(PLAIN))),-llapack -lcblas -lblas)
PKG_BLAS := libblas-dev liblapack-dev liblapacke-dev
else
BLAS_LIBS := -llapacke -lopenblas
PKG_BLAS := libopenblas-serial-dev liblapacke-dev
endif
LDLIBS   += $(BLAS_LIBS) -lgmp -lz -lm -pthread

# Debian packages: to build and run; to test (independent judges included)
PKG_RUN  := build-essential pkg-config $(PKG_BLAS) libgmp-dev zlib1g-dev libjson-c-dev
PKG_TEST := libcmocka-dev libjansson-dev glpk-utils python3-numpy python3-scipy clang-format
PKG_PYTHON := python3 python3-numpy
PKG_MPI  := libopenmpi-dev openmpi-bin
PKG_GUIDE := cmark-gfm mandoc
PKG_DEB  := dpkg-dev
PKG_BENCH := coinor-cbc coinor-clp gnuplot-nox

LIB_SRC  := $(sort $(filter-out src/cli/% src/check/% src/link/mpi.c,$(wildcard src/*/*.c src/*/*/*.c)))
CHECK_SRC := $(sort $(wildcard src/check/*.c))
CLI_SRC  := $(sort $(wildcard src/cli/*.c))
TEST_SRC := $(sort $(wildcard tests/test_*.c tests/prop_*.c))
AID_SRC  := $(sort $(wildcard tests/oracle/*.c))
RUNS_SRC := $(sort $(wildcard tests/campaign/*.c))
LIB_OBJ  := $(LIB_SRC:src/%.c=$(BUILD)/obj/%.o)
# The tests run the library with its contracts on (base/check.h). Files without a contract, of their own or in a header, are not compiled again.
CHECKED  ?= checked
CONTRACT := CHECK(_COMPARE)?\(|VOUCH_DEBUG
CONTRACT_HEADERS := $(filter-out base/check.h,$(patsubst src/%,%,$(shell grep -lE '$(CONTRACT)' $(wildcard src/*/*.h src/*/*/*.h))))
CONTRACT_SRC := $(shell grep -lE -e '$(CONTRACT)' $(CONTRACT_HEADERS:%=-e '"%"') $(LIB_SRC))
TEST_OBJ := $(CONTRACT_SRC:src/%.c=$(BUILD)/$(CHECKED)/%.o) $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out $(CONTRACT_SRC),$(LIB_SRC)))
CLI_OBJ  := $(CLI_SRC:src/%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/cli/watch/assets.o
CHECK_OBJ := $(CHECK_SRC:src/%.c=$(BUILD)/obj/%.o)
AID_OBJ  := $(AID_SRC:tests/%.c=$(BUILD)/tests/%.o)
RUNS_OBJ := $(RUNS_SRC:tests/%.c=$(BUILD)/tests/%.o)
# LEFT_OUT='prop_work_% cli_tour': tests that are not run.
LEFT_OUT ?=
SHELL_TESTS := $(filter-out $(LEFT_OUT:%=tests/%.sh),$(sort $(wildcard tests/cli_*.sh)))
TESTS    := $(filter-out $(LEFT_OUT:%=$(BUILD)/tests/%),$(TEST_SRC:tests/%.c=$(BUILD)/tests/%))

.PHONY: all analyze announce mpi python notebook deb demo check check-long check-kernels asan cover fuzz campaign mutants work bench signature layers look format format-check lint guide install uninstall clean help deps-run deps-test deps-bench deps-python deps-mpi
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/vouch $(BUILD)/vouch-check $(BUILD)/libvouch.a $(BUILD)/libvouch.so

help:
	@echo 'make [all]   program and libraries in $(BUILD)/'
	@echo 'make demo    plan for the Slippery T-Maze and reproduce the Twin-States table'
	@echo 'make mpi     $(BUILD)/vouch-mpi, which shares plan, sweep and ccil among the processes of mpirun'
	@echo 'make python  the Python package in $(BUILD)/python, and as a wheel'
	@echo 'make notebook  runs the cells of bench/examples/tutorial.ipynb and stores their outputs'
	@echo 'make deb     a Debian package in $(BUILD)/'
	@echo 'make check   every test, of what takes long a part; make check-long: all of that; make asan: as check, of what takes long few, under the address and undefined sanitizers'
	@echo 'make check-kernels  those that calculate with matrices, under two kernels of OpenBLAS; make BLAS=reference: built without it'
	@echo 'make campaign [N=20000] [SEED=1] [PART=plans|rare|stochastic|questions|mips|lps|proofs|grid|scales]  differential runs against independent judges'
	@echo 'make bench   the measurements of bench/; make cover: line coverage; make fuzz: fuzzers'
	@echo 'make mutants [N=150 SEED=1 JOBS=2 DIRS=..]   faults of one token put into src: which of them no test notices'
	@echo 'make work    show where the work of the solvers changed and accept it (tests/data/work.expected)'
	@echo 'make look    pages of vouch watch opened in headless Chromium: no script error, pictures to look at'
	@echo 'make layers  include rules, sizes, glossary, pages; make format, make format-check, make lint: clang-format, cppcheck'
	@echo 'make analyze what gcc -fanalyzer and cppcheck find in what reads the world, and in vouch-check'
	@echo 'make guide   README and src/guide as HTML, with references of C and Python and the manual pages, in $(BUILD)/guide'
	@echo 'make install PREFIX=/usr/local [DESTDIR=]; make uninstall'

# ---- what has to be there: found out by compiling and calling. What is missing root gets installed where there is apt-get; others are
# told the packages' names in Debian, which go by the like elsewhere.
RUN_PROBE  = printf '%s\n' '\#include <cblas.h>' '\#include <gmp.h>' '\#include <json-c/json.h>' '\#include <lapacke.h>' '\#include <zlib.h>' 'int main(void) { return 0; }' | \
             $(CC) $(CPPFLAGS) -x c - -x none -o $(BUILD)/have/probe $(LDFLAGS) $(LDLIBS) -ljson-c && ld --version && objcopy --version
TEST_PROBE = printf '%s\n' '\#include <setjmp.h>' '\#include <stdarg.h>' '\#include <stddef.h>' '\#include <stdint.h>' '\#include <cmocka.h>' '\#include <jansson.h>' \
             'int main(void) { return 0; }' | $(CC) -x c - -o $(BUILD)/have/probe $(LDFLAGS) -lcmocka -ljansson && $(PYTHON) --version
JUDGES     = command -v glpsol && $(PYTHON) -c 'import numpy, scipy' && command -v clang-format
# probe, packages, what becomes of it without them: "fail", or what is said
define need
	@mkdir -p $(BUILD)/have
	@if ! { $(1); } > $(BUILD)/have/log 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then echo "installing: $(2)" >&2; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(2); } >&2 || exit 1; \
	  elif [ "$(3)" = fail ]; then cat $(BUILD)/have/log >&2; \
	    echo "something is missing; in Debian it comes with:  sudo apt-get install $(2)" >&2; exit 1; \
	  else echo "$(3); in Debian what is missing comes with:  sudo apt-get install $(2)" >&2; fi; fi
endef
$(BUILD)/have/run:
	$(call need,$(RUN_PROBE),$(PKG_RUN),fail)
	@touch $@
$(BUILD)/have/test: $(BUILD)/have/run
	$(call need,$(TEST_PROBE),$(PKG_TEST),fail)
	$(call need,$(JUDGES),$(PKG_TEST),glpsol or numpy or scipy or clang-format is not there: the tests that ask them are left out)
	@touch $@
deps-run: $(BUILD)/have/run
deps-test: $(BUILD)/have/test
deps-bench: deps-test
	$(call need,command -v cbc && command -v clp && command -v gnuplot,$(PKG_BENCH),fail)
deps-python: deps-run
	$(call need,$(PYTHON) --version,$(PKG_PYTHON),fail)

# make -s ask-LDLIBS: what a variable holds, for scripts that link by themselves.
ask-%:
	@printf '%s\n' '$($*)'

# V=1 shows the commands
V ?= 0
ifeq ($(V),0)
say = @echo '  $(1)  $(2)';
else
say =
endif

# ---- the build ------------------------------------------------------------------------------------------------
$(BUILD)/obj/%.o: src/%.c | $(BUILD)/have/run
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# The loops over small dense systems are worth vectors: which of the same sums are made at a time, not their order.
$(foreach f,la/dense_own plan/reach/bound plan/reach/intervals,$(BUILD)/obj/$(f).o $(BUILD)/$(CHECKED)/$(f).o): OPT := $(OPT:-O2=-O3)

# Script and styles of the pages of vouch watch and reproduce, as strings of C.
WATCH_STYLE  := src/cli/watch/page.css
PAGE_STYLE   := src/cli/page.css
WATCH_SCRIPT := $(addprefix src/cli/watch/,record.js draw.js tree.js plan.js program.js page.js)
$(BUILD)/obj/cli/watch/assets.c: $(WATCH_STYLE) $(PAGE_STYLE) $(WATCH_SCRIPT)
	@mkdir -p $(@D)
	$(call say,GEN,$@){ bytes() { od -An -v -tu1 | sed 's/ *\([0-9][0-9]*\)/\1,/g'; echo '0};'; }; \
	  echo 'extern const char watch_style[], page_style[], watch_script[];'; \
	  echo 'const char watch_style[] = {'; cat $(WATCH_STYLE) | bytes; \
	  echo 'const char page_style[] = {'; cat $(PAGE_STYLE) | bytes; \
	  echo 'const char watch_script[] = {'; cat $(WATCH_SCRIPT) | bytes; } > $@

$(BUILD)/obj/cli/watch/assets.o: $(BUILD)/obj/cli/watch/assets.c | $(BUILD)/have/run
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

ifneq ($(CHECKED),obj)
$(BUILD)/$(CHECKED)/%.o: src/%.c | $(BUILD)/have/run
	@mkdir -p $(@D)
	$(call say,CC,$< (checked))$(CC) $(CPPFLAGS) $(CFLAGS) -DVOUCH_DEBUG -MMD -MP -c $< -o $@
endif

# One relocatable object whose only global symbols are the public vouch_ ones.
$(BUILD)/libvouch.a: $(LIB_OBJ)
	$(call say,AR,$@)rm -f $@ && ld -r -o $(BUILD)/libvouch.o $(LIB_OBJ) && objcopy --localize-hidden $(BUILD)/libvouch.o && ar rcs $@ $(BUILD)/libvouch.o

$(BUILD)/libvouch.so: $(LIB_OBJ)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -o $@ $(LIB_OBJ) $(LDLIBS)

# The program takes BLAS and LAPACK from their archives where these are complete: loading the shared ones costs 3 ms a start,
# more than most small problems need. The serial build comes first: the one with threads starts them before main, although
# nothing here uses them. BLAS_ARCHIVE= links the shared library that the system provides.
ifneq ($(BLAS),reference)
BLAS_ARCHIVE ?= $(firstword $(wildcard /usr/lib/*/openblas-serial/libopenblas.a /usr/lib/*/openblas-pthread/libopenblas.a))
endif
GFORTRAN     := $(wildcard $(shell { $(CC) -print-file-name=libgfortran.so; } 2> /dev/null))
SHARED_REST   = -Wl,-Bstatic -llapacke $(BLAS_ARCHIVE) -Wl,-Bdynamic -lgfortran $(filter-out -llapacke -lopenblas,$(LDLIBS))
PROGRAM_LIBS  = $(if $(and $(BLAS_ARCHIVE),$(GFORTRAN)),$(SHARED_REST),$(LDLIBS))

# GMP and zlib from their archives save a start more.
archived      = $(if $(and $(BLAS_ARCHIVE),$(wildcard $(shell { $(CC) -print-file-name=lib$(1).a; } 2> /dev/null))),-Wl$(comma)-Bstatic -l$(1) -Wl$(comma)-Bdynamic,-l$(1))

$(BUILD)/vouch: $(CLI_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(HARDEN_PROGRAM) $(LDFLAGS) -o $@ $(CLI_OBJ) $(LIB_OBJ) $(patsubst -lgmp,$(call archived,gmp),$(patsubst -lz,$(call archived,z),$(PROGRAM_LIBS)))

# vouch-check shares no source with vouch; its doubles are rounded in a direction of its choice.
$(CHECK_OBJ): override CFLAGS += -frounding-math
$(BUILD)/vouch-check: $(CHECK_OBJ)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(HARDEN_PROGRAM) $(LDFLAGS) -o $@ $(CHECK_OBJ) -ljson-c -lgmp -lz -lm

# ---- with MPI: the same program, whose group (src/link/group.h) is that of mpirun. Nothing else knows of MPI.
MPICC     ?= mpicc
MPI_OBJ   := $(BUILD)/obj/link/mpi.o
MPI_PROBE  = printf '%s\n' '\#include <mpi.h>' 'int main(void) { return MPI_Init(0, 0); }' | $(MPICC) -x c - -o $(BUILD)/have/probe && command -v mpirun
$(BUILD)/have/mpi: $(BUILD)/have/run
	$(call need,$(MPI_PROBE),$(PKG_MPI),fail)
	@touch $@
deps-mpi: $(BUILD)/have/mpi
$(MPI_OBJ): override CFLAGS += $(patsubst -I%,-isystem %,$(shell $(MPICC) --showme:compile 2> /dev/null))
$(MPI_OBJ): | $(BUILD)/have/mpi
$(BUILD)/vouch-mpi: $(CLI_OBJ) $(LIB_OBJ) $(MPI_OBJ) | $(BUILD)/have/mpi
	$(call say,LD,$@)$(CC) $(CFLAGS) $(HARDEN_PROGRAM) $(LDFLAGS) -o $@ $(CLI_OBJ) $(filter-out %/link/alone.o,$(LIB_OBJ)) $(MPI_OBJ) $(PROGRAM_LIBS) $$($(MPICC) --showme:link)
mpi: $(BUILD)/vouch-mpi
# Where MPI is installed its program is tested, too.
MPI_HERE  := $(if $(and $(shell command -v $(MPICC)),$(shell command -v mpirun)),$(BUILD)/vouch-mpi)

# ---- the Python package -----------------------------------------------------------------------------------------
# The library holds BLAS as the program does, so that both give the same digits, and shows only the public symbols; the shared libraries it
# still needs, those of every system left out, lie beside it.
PYTHON_SRC := $(wildcard src/python/vouch/*.py) src/python/vouch/py.typed
STAGE      := $(BUILD)/python/vouch
OF_SYSTEM  := /(libc|libm|libdl|librt|libpthread|libgcc_s|libasan|libubsan)\.so

$(BUILD)/python/libvouch.so: $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL -Wl,--disable-new-dtags -Wl,-rpath,'$$ORIGIN' -o $@ $(LIB_OBJ) -Wl,--as-needed $(PROGRAM_LIBS)

$(BUILD)/python/wheel: $(BUILD)/python/libvouch.so $(PYTHON_SRC) $(wildcard include/vouch/*.h src/python/*.py) | deps-python
	@rm -rf $(STAGE) $(BUILD)/python/*.whl && mkdir -p $(STAGE)
	@cp $(PYTHON_SRC) $(STAGE) && $(PYTHON) src/python/abi.py include '$(CC)' > $(STAGE)/_abi.py
	@ldd $< | awk '$$2 == "=>" && $$3 ~ /^\// { print $$3 }' | grep -vE '$(OF_SYSTEM)' | while read -r f; do cp -L "$$f" $(STAGE)/ || exit 1; done
	@strip --strip-debug -o $(STAGE)/libvouch.so $<
	$(call say,WHEEL,$(@D))$(PYTHON) src/python/wheel.py $(@D) $(@D) $(VERSION) LICENSE > $@

python: $(BUILD)/python/wheel
	@cat $<

# Stores the outputs of the tutorial's cells, after a change that is meant.
notebook: $(BUILD)/python/wheel
	PYTHONPATH=$(BUILD)/python $(PYTHON) src/guide/notebook.py bench/examples/tutorial.ipynb

# ---- tests ----------------------------------------------------------------------------------------------------
$(BUILD)/tests/%.o: tests/%.c | $(BUILD)/have/test
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) -Itests $(CFLAGS) -MMD -MP -c $< -o $@

# Tests link what they ask for out of this, which names the objects without holding them: most need a part.
TEST_LIB := $(BUILD)/tests/checked.a
$(TEST_LIB): $(AID_OBJ) $(TEST_OBJ)
	$(call say,AR,$@)rm -f $@ && ar rcsT $@ $^

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(TEST_LIB)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(TEST_LIB) -lcmocka -ljansson $(LDLIBS)

$(BUILD)/tests/prop_campaign $(BUILD)/tests/prop_campaign_proofs: $(filter-out %/main.o,$(RUNS_OBJ))
$(BUILD)/tests/prop_campaign $(BUILD)/tests/prop_campaign_proofs: | $(BUILD)/vouch-check $(BUILD)/vouch
$(BUILD)/tests/campaign/campaign: $(RUNS_OBJ) $(AID_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljansson -lgmp -lcmocka $(LDLIBS)

# make campaign [N=20000] [SEED=1] [FIRST=0] [HURRIED=1] [PART='plans rare stochastic questions mips lps proofs grid scales']: N plans, N models whose rewards differ in size, half as many questions of other kinds, a quarter as many small mixed-integer programs and as many of 10 to 60 columns, half as many linear programs and N proofs, most of them forged, against
# judges that share no code with them; what is wrong is written to $(BUILD)/campaign.
SEED  ?= 1
FIRST ?= 0
GRID   = PYTHONPATH=$(BUILD)/python $(PYTHON) tests/judge_grid.py $(BUILD)/vouch --seed $(SEED) --keep $(BUILD)/campaign
campaign: deps-test $(BUILD)/tests/campaign/campaign $(BUILD)/vouch-check $(BUILD)/vouch
	@rm -rf $(BUILD)/campaign && mkdir -p $(BUILD)/campaign
	$(if $(filter-out grid scales,$(or $(PART),all)),BUILD=$(BUILD) $(BUILD)/tests/campaign/campaign -n $(or $(N),20000) -s $(SEED) -f $(FIRST) -d $(BUILD)/campaign $(if $(HURRIED),-j) $(filter-out grid scales,$(PART)))
	$(if $(filter grid,$(or $(PART),grid)),$(MAKE) -s python > /dev/null && $(GRID) && $(GRID) --draw $$(($(or $(N),20000) / 2)) --first $(FIRST))
	$(if $(filter mips,$(or $(PART),mips)),$(PYTHON) tests/judge_mip.py $(BUILD)/vouch -n $$(($(or $(N),20000) / 4)) -s $(SEED) -f $(FIRST) -j $(JOBS) -d $(BUILD)/campaign --table)
	$(if $(filter scales,$(or $(PART),scales)),$(PYTHON) tests/judge_scales.py $(BUILD)/vouch $(BUILD)/vouch-check -n $(or $(N),20000) -s $(SEED) -f $(FIRST) -j $(JOBS) -d $(BUILD)/campaign --table)

announce:
	$(if $(findstring -fsanitize,$(EXTRA)),,@sh tests/run.sh --announce)

check: announce deps-test all $(MPI_HERE) $(TESTS) layers
	@BUILD=$(BUILD) PYTHON=$(PYTHON) SHELL_TESTS='$(SHELL_TESTS)' sh tests/run.sh $(TESTS)

# The tests that run a part of their samples in make check (test_part, in shell part), with all; LONG='prop_exact cli_judge.sh' selects some.
# src/CHANGES.md says when each was last run.
LONG := $(notdir $(basename $(shell grep -lwE 'test_part|sweep_ends' tests/test_*.c tests/prop_*.c))) $(notdir $(shell grep -lE 'part [0-9]+ [0-9]+' tests/cli_*.sh))
LONG_TESTS := $(patsubst %,$(BUILD)/tests/%,$(filter-out %.sh,$(LONG)))
check-long: deps-test all $(LONG_TESTS)
	@echo 'check-long: $(LONG)'
	@VOUCH_LONG=1 BUILD=$(BUILD) PYTHON=$(PYTHON) SHELL_TESTS='$(addprefix tests/,$(filter %.sh,$(LONG)))' sh tests/run.sh $(LONG_TESTS)

# The tests that calculate with matrices, under two kernels of OpenBLAS that every x86-64 has, or under $(OPENBLAS_CORETYPE) alone.
KERNELS  := $(or $(OPENBLAS_CORETYPE),Prescott Nehalem)
KERNEL_TESTS := $(filter $(addprefix $(BUILD)/tests/,test_la_% test_lp_% test_mip_% test_program_% prop_lp_% prop_mip_%),$(TESTS))
check-kernels: deps-test all $(KERNEL_TESTS)
	@for core in $(KERNELS); do echo "kernel $$core"; \
	  OPENBLAS_CORETYPE=$$core BUILD=$(BUILD) PYTHON=$(PYTHON) SHELL_TESTS='tests/cli_proof.sh tests/cli_exact.sh tests/cli_lp.sh tests/cli_lp_glpk.sh tests/cli_lp_ranges.sh' \
	    sh tests/run.sh $(KERNEL_TESTS) || exit 1; done

# Without the signatures of work, and without scripts that compare results with other programs or pages: the code they run is run by others.
NOT_ASAN := prop_work_% cli_install cli_judge cli_kernels cli_lp_glpsol cli_mpi cli_packages cli_reproduce cli_scales cli_structures cli_tour
SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
asan: export VOUCH_FEW = 1
asan: export VOUCH_CASES = 100
asan: export VOUCH_AVERAGES = 100
asan: export VOUCH_TEST_SCARCE = 2
asan: deps-test
	$(MAKE) BUILD=$(BUILD)/asan CHECKED=obj OPT='-O1 -DVOUCH_DEBUG' EXTRA='$(SAN) -g1' LDFLAGS='$(SAN)' MPICC=none LEFT_OUT='$(NOT_ASAN)' check

cover: deps-test
	$(MAKE) BUILD=$(BUILD)/cover CHECKED=obj OPT='-O0 --coverage' LDFLAGS='--coverage' check
	@cd $(BUILD)/cover && find obj -name '*.gcda' | sort | xargs gcov -n 2>/dev/null | awk '/^File .*src\//{f=$$2} /^Lines/{if(f!=""){print $$2, f; f=""}}'

JOBS ?= 2
DIRS ?= plan policy know la lp exact mip io check
mutants: deps-test
	@$(PYTHON) tests/mutants.py --count $(or $(N),150) --seed $(SEED) --jobs $(JOBS) --dirs '$(DIRS)' --tests '$(ONLY)' --again '$(AGAIN)' --reach '$(REACH)' --build $(BUILD)/mutants

# The signatures of what the solvers do, to the last node and pivot (tests/work_aid.h). Run at a commit whose signatures are right, the tests
# leave their tables beside themselves; after a change that is meant, this shows which lines differ and writes the signatures anew.
WORK_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/prop_work_*.c))
work: deps-test $(WORK_TESTS)
	@rm -f $(BUILD)/work.new
	@for test in $(WORK_TESTS); do VOUCH_WORK=$(BUILD)/work.new $$test > $(BUILD)/work.log 2>&1 || { cat $(BUILD)/work.log; exit 1; }; \
	  if [ ! -e $$test.work ]; then echo "$$test: nothing to compare with; run it here at the commit before"; else diff -U0 $$test.work $$test.work.now | sed -n 's/^[-+][^-+]/&/p'; fi; \
	  mv $$test.work.now $$test.work; done
	@mv $(BUILD)/work.new tests/data/work.expected; git diff -U0 -- tests/data/work.expected 2> /dev/null || :

# Pages of vouch watch in a browser (Debian: chromium-driver), pictures of them in $(BUILD)/look.
look: all
	@PYTHON=$(PYTHON) sh tests/look.sh $(BUILD)

# make fuzz [SECONDS=60] [ONLY='fuzz_csv ..']: every reader in turn.
fuzz: deps-test
	@SECONDS_EACH=$(or $(SECONDS),60) ONLY='$(ONLY)' sh tests/fuzz.sh $(BUILD)/fuzz

bench: deps-bench all
	@sh bench/run.sh $(BUILD)

# One number for what the solvers do on bench/*.list; LP=FOLDER and MIP=FOLDER add programs. Quoted by commits that change it.
signature: all
	@$(PYTHON) bench/signature.py $(BUILD)/vouch $(wildcard bench/*.list) $(LP:%=--lp %) $(MIP:%=--mip %) --table $(BUILD)/signature.txt

# HOUSE=--count only counts the open points of tests/house.sh.
HOUSE ?=
layers:
	@sh tests/layers.sh
	@sh tests/house.sh $(HOUSE)
	@sh tests/glossary.sh
	@sh tests/pages.sh
	@sh tests/links.sh $(BUILD)/obj

FORMATTED := $(wildcard include/vouch/*.h src/*/*.[ch] src/*/*/*.[ch] tests/*.[ch] tests/oracle/*.[ch] tests/campaign/*.[ch] bench/*.c bench/examples/*.c)
# What another major version of the tool makes of the same code differs, so the check asks for this one.
FORMAT_VERSION := 14
format:
	clang-format -i $(FORMATTED)

format-check: deps-test
	@if clang-format --version | grep -q 'version $(FORMAT_VERSION)\.'; then clang-format --dry-run -Werror $(FORMATTED) && echo 'format: as clang-format leaves it'; \
	else echo "format: not checked, clang-format is not version $(FORMAT_VERSION)"; fi

# The analyzer of gcc and cppcheck over what reads the world, and the judge. What the first reports and is none: a queue that was
# waited for is not empty (threads), and add_constant gives a constant where its status is 0 (prism_constant).
ANALYZED := $(filter-out src/link/mpi.c,$(wildcard src/base/*.c src/io/*.c src/link/*.c src/check/*.c))
NO_FINDING := src/link/threads.c src/io/prism_parse.c
# Of cppcheck: it does not know that refuted() and the escapes of src/io do not return, nor a compound literal behind a question mark.
NO_ERROR := nullPointerArithmeticRedundantCheck:src/check/*.c nullPointerRedundantCheck:src/check/*.c arrayIndexOutOfBoundsCond:src/check/proof.c internalAstError:src/io/prism_expand.c internalAstError:src/check/*.c \
            nullPointerArithmeticRedundantCheck:src/io/*.c nullPointerRedundantCheck:src/io/*.c arrayIndexOutOfBoundsCond:src/io/*.c autoVariables:src/io/family.c negativeIndex:src/io/mps.c nullPointer:src/io/prism_family.c
$(BUILD)/have/analyze: $(BUILD)/have/run
	$(call need,command -v cppcheck,cppcheck,cppcheck is not there: analyze does without it)
	@touch $@
analyze: $(BUILD)/have/analyze
	@printf '%s\n' $(ANALYZED) | xargs -n 1 -P "$$(nproc)" sh -c 'without=; log=$(BUILD)/have/analyze.$$(echo "$$0" | tr / .).log; \
	  case " $(NO_FINDING) " in *" $$0 "*) without=-Wno-analyzer-null-dereference ;; esac; \
	  gcc -fanalyzer -Werror $$without $(CPPFLAGS) -std=c11 -O1 -c "$$0" -o /dev/null 2> "$$log" || { grep error: "$$log"; exit 1; }' && \
	  echo 'analyze: $(words $(ANALYZED)) files without a finding of gcc'
	@! command -v cppcheck > /dev/null || cppcheck --quiet --std=c11 -j2 --enable=warning,performance,portability --inline-suppr $(patsubst %,--suppress='%',$(NO_ERROR)) --error-exitcode=1 -Iinclude -Isrc src/base src/io src/link src/check

lint: deps-run
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 -Iinclude -Isrc src

# Written by cmark-gfm or pandoc; manual pages by mandoc or groff, plain where there is neither.
guide: all
	$(call need,command -v cmark-gfm || command -v pandoc,$(PKG_GUIDE),fail)
	@PYTHON=$(PYTHON) sh src/guide/html.sh $(BUILD)/vouch $(BUILD)/guide

demo: all
	@sh bench/demo.sh $(BUILD)/vouch

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include/vouch
	install -m 755 $(BUILD)/vouch $(BUILD)/vouch-check $(DESTDIR)$(PREFIX)/bin/
	ln -sf vouch $(DESTDIR)$(PREFIX)/bin/vouch-glpsol
	[ ! -x $(BUILD)/vouch-mpi ] || install -m 755 $(BUILD)/vouch-mpi $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(BUILD)/libvouch.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 $(BUILD)/libvouch.so $(DESTDIR)$(PREFIX)/lib/libvouch.so.$(VERSION)
	ln -sf libvouch.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libvouch.so
	install -m 644 include/vouch/*.h $(DESTDIR)$(PREFIX)/include/vouch/
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(BUILD)/vouch --manual > $(DESTDIR)$(PREFIX)/share/man/man1/vouch.1
	for c in $$($(BUILD)/vouch --manual list); do $(BUILD)/vouch --manual $$c > $(DESTDIR)$(PREFIX)/share/man/man1/vouch-$$c.1 || exit 1; done
	{ printf '.TH VOUCH\\-CHECK 1\n.SH NAME\nvouch\\-check \\- check the claims of a proof\n.SH DESCRIPTION\n.nf\n'; \
	  $(BUILD)/vouch-check --help | sed 's/-/\\-/g; s/^\./\\\&./'; } > $(DESTDIR)$(PREFIX)/share/man/man1/vouch-check.1
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BUILD)/vouch --completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/vouch
	$(BUILD)/vouch --completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_vouch
	$(BUILD)/vouch --completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/vouch.fish
	PYTHON=$(PYTHON) sh src/guide/html.sh $(BUILD)/vouch $(DESTDIR)$(PREFIX)/share/doc/vouch > /dev/null
	cp -r bench/examples $(DESTDIR)$(PREFIX)/share/doc/vouch/
	printf 'prefix=%s\nName: vouch\nDescription: Commitment-constrained planning with its own LP and MILP solvers\nVersion: %s\nCflags: -I$${prefix}/include\nLibs: -L$${prefix}/lib -lvouch\nLibs.private: $(LDLIBS)\n' '$(PREFIX)' '$(VERSION)' > $(DESTDIR)$(PREFIX)/lib/pkgconfig/vouch.pc

# A Debian package; src/debian holds its description and its test. Its program loads GMP and zlib, which Debian forbids to embed.
# DEB_FLAGS="-Zgzip -z1" packs faster.
DEB       = $(BUILD)/deb
DEB_OUT   = $(BUILD)
deb: all
	$(call need,command -v dpkg-gencontrol,$(PKG_DEB),fail)
	@rm -rf $(DEB) $(DEB_OUT)/vouch_*.deb
	@$(MAKE) -s install PREFIX=/usr DESTDIR=$(DEB)/root > /dev/null
	@$(CC) $(CFLAGS) $(HARDEN_PROGRAM) $(LDFLAGS) -o $(DEB)/root/usr/bin/vouch $(CLI_OBJ) $(LIB_OBJ) $(PROGRAM_LIBS)
	@sh src/debian/build.sh $(abspath $(DEB)) $(VERSION) $(SONAME) $(abspath $(DEB_OUT)) $(DEB_FLAGS)

# Takes away what install has put there, and leaves the directories.
COMMANDS = $(shell sed -n 's/^ *X(\([a-z]*\)).*/\1/p' src/cli/cli.h)
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/vouch bin/vouch-glpsol bin/vouch-check bin/vouch-mpi lib/libvouch.a lib/libvouch.so lib/$(SONAME) lib/libvouch.so.$(VERSION) lib/pkgconfig/vouch.pc \
	  share/bash-completion/completions/vouch share/zsh/site-functions/_vouch share/fish/vendor_completions.d/vouch.fish share/man/man1/vouch.1 share/man/man1/vouch-check.1 $(COMMANDS:%=share/man/man1/vouch-%.1) $(wildcard include/vouch/*.h))
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/share/doc/vouch/,*.html *.svg examples)
	[ ! -d $(DESTDIR)$(PREFIX)/share/doc/vouch ] || rmdir $(DESTDIR)$(PREFIX)/share/doc/vouch
	[ ! -d $(DESTDIR)$(PREFIX)/include/vouch ] || rmdir $(DESTDIR)$(PREFIX)/include/vouch

clean:
	rm -rf $(BUILD)

-include $(LIB_OBJ:.o=.d) $(MPI_OBJ:.o=.d) $(CHECK_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(AID_OBJ:.o=.d) $(RUNS_OBJ:.o=.d) $(TESTS:=.d)
