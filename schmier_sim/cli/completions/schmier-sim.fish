# Completion of schmier-sim in fish: the program says what may follow on a line.

function __schmier_sim_complete
    set -l typed (commandline -cp | string collect)
    set -l answer (_SCHMIER_SIM_COMPLETE=1 schmier-sim "$typed" 2>/dev/null)
    or return
    string join \n -- $answer[2..]
    test "$answer[1]" != words
    or return
    set -l before (string match -r -- '^-.*?=|^' (commandline -ct))
    set -l current (commandline -ct | string sub -s (math 1 + (string length -- $before)))
    set -l paths
    switch $answer[1]
        case folders
            set paths (__fish_complete_directories "$current" '')
        case files
            set paths (__fish_complete_path "$current")
        case '*'
            set -l ending (string replace 'files ' '' -- $answer[1] | string escape --style=regex)
            set paths (__fish_complete_path "$current" | string match -r -- ".*(?:/|$ending)(?=\t|\$)")
    end
    for path in $paths
        echo -- "$before$path"
    end
end

complete --command schmier-sim --no-files --arguments '(__schmier_sim_complete)'
