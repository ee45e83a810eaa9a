extension MPVTranscript {
    /// Nothing is loaded: further requests of clients, and mpv's expansion of properties. Recorded as the others.
    static let clients = MPVTranscript(
        #"""
        > {"command":["script-message"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["script-message","a","b"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["script-message",1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["script-message","a",true]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["script-message-to","ipc_0","x"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["script-message-to","ipc_0"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["script-message-to"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["script-message-to","nobody","x"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":{"name":"script-message","args":"x"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"script-message"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["print-text","hello"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["print-text"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["cycle-values","pause","yes","no"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","pause"]}
        < {"data":true,"request_id":0,"error":"success"}
        > {"command":["cycle-values","pause","yes","no"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","pause"]}
        < {"data":false,"request_id":0,"error":"success"}
        > {"command":["cycle-values","volume","20","60","100"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","volume"]}
        < {"data":20.000000,"request_id":0,"error":"success"}
        > {"command":["cycle-values","!reverse","volume","20","60","100"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","volume"]}
        < {"data":100.000000,"request_id":0,"error":"success"}
        > {"command":["cycle-values","!reverse","volume","30","40"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","volume"]}
        < {"data":40.000000,"request_id":0,"error":"success"}
        > {"command":["cycle-values","!reverse","volume"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":["cycle-values","volume","1e2"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","volume"]}
        < {"data":100.000000,"request_id":0,"error":"success"}
        > {"command":["cycle-values","volume"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["cycle-values"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["cycle-values","volume",5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["cycle-values","volume","zzz"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":["cycle-values","nosuch","1","2"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":["cycle-values","duration","1","2"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":["change-list","pause","append","1"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":["change-list","nosuch","append","1"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":["change-list","pause","append"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-remove",-1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-remove","x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-remove",true]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-move",0]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-move","x",0]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-play-index","x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-play-index",-2]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-play-index",-1]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["playlist-play-index","none"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["playlist-play-index","current"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["playlist-play-index"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-shuffle"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["playlist-shuffle",1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["playlist-unshuffle"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["quit-watch-later","x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["show-progress"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["show-progress",1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["loadlist"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["expand-text"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["expand-text",5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["expand-text","${pause} ${=pause} ${time-pos} ${time-pos:x} ${nosuch} ${nosuch:y} ${=nosuch} ${=time-pos}|"]}
        < {"data":"no no (unavailable) x (error) y  |","request_id":0,"error":"success"}
        > {"command":["expand-text","${?pause:a} ${!pause:b} ${?time-pos:c}${!time-pos:d} ${?pause==yes:P}${?pause==no:N} ${!pause==yes:NP}"]}
        < {"data":"a  d N NP","request_id":0,"error":"success"}
        > {"command":["expand-text","${?nosuch==x:a}${!nosuch==x:b}${?=volume==100.000000:c}${?volume==100:d}${?volume==100.000000:e}"]}
        < {"data":"bcd","request_id":0,"error":"success"}
        > {"command":["expand-text","$$ $} $x ${pause $ ${volume} ${=volume}"]}
        < {"data":"$ } $x (error) 100.000000","request_id":0,"error":"success"}
        > {"command":["expand-text","a $>${pause}$$"]}
        < {"data":"a ${pause}$$","request_id":0,"error":"success"}
        > {"command":["expand-text","${nosuch:in ${volume} $} ${time-pos:deep ${pause}}}} end}"]}
        < {"data":"in 100 } deep no} end}","request_id":0,"error":"success"}
        > {"command":["expand-text","${!nosuch:x$>y} ${}|${:z}|${"]}
        < {"data":"x$>y (error)|z|${","request_id":0,"error":"success"}
        > {"command":["expand-text","${pause:${nosuch}} ${?nosuch:${pause:x} y}z ${nosuch:${pause:q}${nosuch}}"]}
        < {"data":"no z no(error)","request_id":0,"error":"success"}
        > {"command":["expand-text","a\nb\t\"${pause}\" é $é"]}
        < {"data":"a\nb\t\"no\" é $é","request_id":0,"error":"success"}
        > {"command":["raw","expand-text","${pause}"]}
        < {"data":"no","request_id":0,"error":"success"}
        > {"command":{"name":"expand-text","text":"${pause}","_flags":["raw"]}}
        < {"data":"no","request_id":0,"error":"success"}
        > {"command":["set","volume","${nosuch:50}"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":["expand-properties","set","volume","${nosuch:50}"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","volume"]}
        < {"data":50.000000,"request_id":0,"error":"success"}
        > {"command":["raw","expand-properties","set","volume","${nosuch:55}"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["expand-properties","raw","set","volume","${nosuch:60}"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":{"name":"set","name2":"volume","value":"${nosuch:60}","_flags":["expand-properties"]}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"set","value":"${nosuch:60}","_flags":["no-osd","expand-properties"]}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["get_property","volume"]}
        < {"data":55.000000,"request_id":0,"error":"success"}
        > {"command":["expand-properties","add","volume","${nosuch:5}"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["expand-properties","cycle-values","${nosuch:volume}","${=volume:}","7"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":["get_property","volume"]}
        < {"data":7.000000,"request_id":0,"error":"success"}
        > {"command":["get_property_string","mute",]}
        < {"data":"no","request_id":0,"error":"success"}
        """#)
}
