# Completion of schmier-sim in bash: the program says what may follow on a line.

_schmier_sim() {
    local typed=${COMP_LINE:0:COMP_POINT} current=${COMP_WORDS[COMP_CWORD]} answer kind word before
    COMPREPLY=()
    answer=$(_SCHMIER_SIM_COMPLETE=1 "${1/#\~/$HOME}" "$typed" 2>/dev/null) || return
    [ "$current" != = ] || current=
    # bash cuts words at = and : as well, and replaces only what follows them.
    before=${typed##*[[:space:]]}
    before=${before%"${before##*[=:]}"}
    kind=${answer%%$'\n'*}
    while IFS=$'\t' read -r word _; do
        [ -z "$word" ] || COMPREPLY+=("${word#"$before"}")
    done <<<"${answer#"$kind"}"
    [ "$kind" != words ] || return
    compopt -o filenames -o default
    while IFS= read -r word; do
        [ -z "$word" ] || COMPREPLY+=("$word")
    done < <(
        case $kind in
        folders) compgen -d -- "$current" ;;
        files) compgen -f -- "$current" ;;
        *) compgen -f -X "!*${kind#files }" -- "$current"; compgen -d -- "$current" ;;
        esac
    )
}

complete -F _schmier_sim schmier-sim
